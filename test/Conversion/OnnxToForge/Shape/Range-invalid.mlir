// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !torch.vtensor<[],si64>) -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<10> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+3 {{node '' (Range, opset 11): start (input 0) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<i64>', 'tensor<i64>', 'tensor<i64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %r3 = torch.operator "onnx.Range"(%arg0, %c1, %c2) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],si64>
  return %r3 : !torch.vtensor<[3],si64>
}

// -----

func.func @step() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<10> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (Range, opset 11): the step is 0, a bound is not finite, or the range has too many elements}}
  // expected-note @+1 {{operands: ('tensor<i64>', 'tensor<i64>', 'tensor<i64>')}}
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],si64>
  return %r4 : !torch.vtensor<[3],si64>
}

// -----

func.func @huge() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<9223372036854775807> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (Range, opset 11): the step is 0, a bound is not finite, or the range has too many elements}}
  // expected-note @+1 {{operands: ('tensor<i64>', 'tensor<i64>', 'tensor<i64>')}}
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],si64>
  return %r4 : !torch.vtensor<[3],si64>
}

// -----

func.func @overflow() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-9223372036854775808> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<9223372036854775807> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<9223372036854775807> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (Range, opset 11): the step is 0, a bound is not finite, or the range has too many elements}}
  // expected-note @+1 {{operands: ('tensor<i64>', 'tensor<i64>', 'tensor<i64>')}}
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],si64>
  return %r4 : !torch.vtensor<[3],si64>
}

// -----

func.func @mixed() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (Range, opset 11): bound (input 1) must be integers of rank 0 or 1}}
  // expected-note @+1 {{operands: ('tensor<i64>', 'tensor<f32>', 'tensor<i64>')}}
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) : (!torch.vtensor<[],si64>, !torch.vtensor<[],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],si64>
  return %r4 : !torch.vtensor<[3],si64>
}

// -----

func.func @nan() -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0x7FC00000> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  // expected-error @+2 {{node '' (Range, opset 11): the step is 0, a bound is not finite, or the range has too many elements}}
  // expected-note @+1 {{operands: ('tensor<f32>', 'tensor<f32>', 'tensor<f32>')}}
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) : (!torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[1],f32>
  return %r4 : !torch.vtensor<[1],f32>
}

// -----

func.func @two() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (Range, opset 11): start (input 0) must have one element, but has 2}}
  // expected-note @+1 {{operands: ('tensor<2xi64>', 'tensor<i64>', 'tensor<i64>')}}
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) : (!torch.vtensor<[2],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],si64>
  return %r4 : !torch.vtensor<[3],si64>
}

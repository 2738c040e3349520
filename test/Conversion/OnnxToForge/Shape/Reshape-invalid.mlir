// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[1],si64>) -> !torch.vtensor<[6],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+3 {{node '' (Reshape, opset 13): shape (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<2x3xf32>', 'tensor<1xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %r1 = torch.operator "onnx.Reshape"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[6],f32>
  return %r1 : !torch.vtensor<[6],f32>
}

// -----

func.func @two_inferred(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Reshape, opset 13): shape has a negative size, a second -1, or too many elements}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @negative(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-2, -3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Reshape, opset 13): shape has a negative size, a second -1, or too many elements}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @count(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Reshape, opset 13): shape has 4 elements, but the operand has 6}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,2],f32>
  return %r2 : !torch.vtensor<[2,2],f32>
}

// -----

func.func @rest(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[4,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[4, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Reshape, opset 13): the -1 of the shape cannot be inferred from 6 elements}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[4,1],f32>
  return %r2 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @copies_missing_dimension(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[6,1,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[6, 1, 0]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  // expected-error @+2 {{node '' (Reshape, opset 13): shape copies dim 2 of an operand of rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3xi64>')}}
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[6,1,1],f32>
  return %r2 : !torch.vtensor<[6,1,1],f32>
}

// -----

func.func @huge(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4294967296> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Reshape, opset 13): shape has a negative size, a second -1, or too many elements}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// -----

// With allowzero and a dim of 0, the -1 could be any size.
func.func @inferred_from_no_elements(%arg0: !torch.vtensor<[0,3],f32>) -> !torch.vtensor<[0,3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Reshape, opset 14): the -1 of the shape cannot be inferred from 0 elements}}
  // expected-note @+1 {{operands: ('tensor<0x3xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) {torch.onnx.allowzero = 1 : si64} : (!torch.vtensor<[0,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[0,3],f32>
  return %r2 : !torch.vtensor<[0,3],f32>
}

// -----

func.func @early_allowzero(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[6],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<6> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Reshape, opset 13): attribute 'allowzero' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<1xi64>')}}
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) {torch.onnx.allowzero = 0 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[6],f32>
  return %r2 : !torch.vtensor<[6],f32>
}

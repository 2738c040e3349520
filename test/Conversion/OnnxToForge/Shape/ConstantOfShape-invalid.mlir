// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+3 {{node '' (ConstantOfShape, opset 9): shape (input 0) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<2xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %r1 = torch.operator "onnx.ConstantOfShape"(%arg0) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @negative() -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (ConstantOfShape, opset 9): the shape has a negative size or too many elements}}
  // expected-note @+1 {{operands: ('tensor<1xi64>')}}
  %r2 = torch.operator "onnx.ConstantOfShape"(%c1) : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32>
  return %r2 : !torch.vtensor<[1],f32>
}

// -----

func.func @huge() -> !torch.vtensor<[4294967296,4294967296],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4294967296> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (ConstantOfShape, opset 9): the shape has a negative size or too many elements}}
  // expected-note @+1 {{operands: ('tensor<2xi64>')}}
  %r2 = torch.operator "onnx.ConstantOfShape"(%c1) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[4294967296,4294967296],f32>
  return %r2 : !torch.vtensor<[4294967296,4294967296],f32>
}

// -----

func.func @two_values() -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{[FM1104] node '' (ConstantOfShape, opset 9): attribute 'value' must be a tensor with one element}}
  // expected-note @+1 {{operands: ('tensor<1xi64>')}}
  %r2 = torch.operator "onnx.ConstantOfShape"(%c1) {torch.onnx.value = dense<1.0> : tensor<2xf32>} : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[2],f32>
  return %r2 : !torch.vtensor<[2],f32>
}

// -----

func.func @weight() -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+3 {{node '' (ConstantOfShape, opset 9): attribute 'value' is not a tensor in the IR}}
  // expected-note @+2 {{operands: ('tensor<1xi64>')}}
  // expected-error @+1 {{[FM1104] node '' (ConstantOfShape, opset 9): attribute 'value' must be a tensor with one element}}
  %r2 = torch.operator "onnx.ConstantOfShape"(%c1) {torch.onnx.value = dense_resource<w> : tensor<1xf32>} : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[2],f32>
  return %r2 : !torch.vtensor<[2],f32>
}

// -----

func.func @complex() -> !torch.vtensor<[2],complex<f32>> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (ConstantOfShape, opset 9): the device has no such element type}}
  // expected-note @+1 {{operands: ('tensor<1xi64>')}}
  %r2 = torch.operator "onnx.ConstantOfShape"(%c1) {torch.onnx.value = dense<(1.0, 0.0)> : tensor<1xcomplex<f32>>} : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[2],complex<f32>>
  return %r2 : !torch.vtensor<[2],complex<f32>>
}

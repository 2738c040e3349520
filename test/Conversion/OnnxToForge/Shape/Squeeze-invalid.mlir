// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @size(%arg0: !torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[1,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Squeeze, opset 13): axis 1 has size 2, so it cannot be squeezed}}
  // expected-note @+1 {{operands: ('tensor<1x2x1xf32>', 'tensor<1xi64>')}}
  %r2 = torch.operator "onnx.Squeeze"(%arg0, %c1) : (!torch.vtensor<[1,2,1],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,1],f32>
  return %r2 : !torch.vtensor<[1,1],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[1,2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Squeeze, opset 13): axes 3 is outside rank 3}}
  // expected-note @+1 {{operands: ('tensor<1x2x1xf32>', 'tensor<1xi64>')}}
  %r2 = torch.operator "onnx.Squeeze"(%arg0, %c1) : (!torch.vtensor<[1,2,1],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,2],f32>
  return %r2 : !torch.vtensor<[1,2],f32>
}

// -----

// The attribute of opset 11 is rejected, not ignored.
func.func @old_attribute(%arg0: !torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Squeeze, opset 13): attribute 'axes' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<1x2x1xf32>')}}
  %r1 = torch.operator "onnx.Squeeze"(%arg0) {torch.onnx.axes = [0 : si64]} : (!torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[2],f32>
  return %r1 : !torch.vtensor<[2],f32>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<[1,2,1],f32>, %arg1: !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+3 {{node '' (Squeeze, opset 13): axes (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<1x2x1xf32>', 'tensor<1xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %r1 = torch.operator "onnx.Squeeze"(%arg0, %arg1) : (!torch.vtensor<[1,2,1],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,1],f32>
  return %r1 : !torch.vtensor<[2,1],f32>
}

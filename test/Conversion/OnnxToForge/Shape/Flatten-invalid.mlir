// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[6,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Flatten, opset 13): attribute 'axis' 3 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Flatten"(%arg0) {torch.onnx.axis = 3 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[6,1],f32>
  return %r1 : !torch.vtensor<[6,1],f32>
}

// -----

// A negative axis is allowed since opset 11 only.
func.func @negative(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{node '' (Flatten, opset 9): attribute 'axis' -1 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Flatten"(%arg0) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

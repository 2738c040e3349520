// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

// The inputs that decide a value needed at compile time are named; those behind constants are not.
func.func @f(%x: !torch.vtensor<[2,3],f32>, %shape: !torch.vtensor<[2],si64> loc("my shape")) -> !torch.vtensor<[3,2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %same = torch.operator "onnx.Identity"(%shape) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  // expected-error @+3 {{(Reshape, opset 13): shape (input 1) must be known at compile time}}
  // expected-note @+2 {{operands}}
  // expected-note @+1 {{bind input 'my shape' to a value with --bind}}
  %y = torch.operator "onnx.Reshape"(%x, %same) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2],f32>
  return %y : !torch.vtensor<[3,2],f32>
}

// -----

// What waits for a refused node is not reported again.
func.func @g(%x: !torch.vtensor<[2,3],f32>, %shape: !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{(Nonsense, opset 13): the device path has no converter for this op}}
  // expected-note @+1 {{operands}}
  %same = torch.operator "onnx.Nonsense"(%shape) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  %y = torch.operator "onnx.Reshape"(%x, %same) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2],f32>
  return %y : !torch.vtensor<[3,2],f32>
}

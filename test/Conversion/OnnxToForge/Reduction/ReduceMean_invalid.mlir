// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @empty(%x: !torch.vtensor<[2,0],f32>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{the result for an empty set is not defined}}
  // expected-note @+1 {{operands}}
  %y = torch.operator "onnx.ReduceMean"(%x) {torch.onnx.axes = [1 : si64]} : (!torch.vtensor<[2,0],f32>) -> !torch.vtensor<[2,1],f32>
  return %y : !torch.vtensor<[2,1],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[1,4,3],f32>, %s: !torch.vtensor<[4],f32>, %c: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,4,3],f32>) attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{attribute 'num_groups' does not divide the channels}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.GroupNormalization"(%x, %s, %c) {torch.onnx.num_groups = 3 : si64} : (!torch.vtensor<[1,4,3],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4,3],f32>
  return %out : !torch.vtensor<[1,4,3],f32>
}

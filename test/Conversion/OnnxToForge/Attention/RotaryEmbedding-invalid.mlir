// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[1,2,3,4],f32>, %c: !torch.vtensor<[1,3,1],f32>, %s: !torch.vtensor<[1,3,1],f32>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 23 : si64} {
  // expected-error @+2 {{the caches do not fit}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.RotaryEmbedding"(%x, %c, %s) : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,3,1],f32>, !torch.vtensor<[1,3,1],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[2,4,3],f32>, %u: !torch.vtensor<[2,5,3],f32>, %i: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2,4,3],f32>) attributes {torch.onnx_meta.opset_version = 24 : si64} {
  // expected-error @+2 {{the update or the indices do not fit the cache}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.TensorScatter"(%x, %u, %i) : (!torch.vtensor<[2,4,3],f32>, !torch.vtensor<[2,5,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,3],f32>
  return %out : !torch.vtensor<[2,4,3],f32>
}

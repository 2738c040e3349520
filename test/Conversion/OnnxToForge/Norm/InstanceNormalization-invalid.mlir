// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[1,2,4],f32>, %s: !torch.vtensor<[3],f32>, %c: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.opset_version = 6 : si64} {
  // expected-error @+2 {{scale must have 2 elements}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.InstanceNormalization"(%x, %s, %c) : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %out : !torch.vtensor<[1,2,4],f32>
}

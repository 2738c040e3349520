// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[2,4],f32>, %s: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 23 : si64} {
  // expected-error @+2 {{scale or bias does not broadcast}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.RMSNormalization"(%x, %s) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

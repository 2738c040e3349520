// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[2,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @+2 {{attribute 'p' must be 1 or 2}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.LpNormalization"(%x) {torch.onnx.p = 3 : si64} : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[2,3],f32>, %t: !torch.vtensor<[4],si64>) -> (!torch.vtensor<[],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{the labels or weights do not fit the scores}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.NegativeLogLikelihoodLoss"(%x, %t) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[],f32>
  return %out : !torch.vtensor<[],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[2,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{is outside rank 2}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MeanVarianceNormalization"(%x) : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[1,8,1],f32>, %w: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,3,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{the frames do not fit the signal}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.STFT"(%x, %s, %w) : (!torch.vtensor<[1,8,1],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,3,3,2],f32>
  return %out : !torch.vtensor<[1,3,3,2],f32>
}

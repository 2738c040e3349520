// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f8(%x: !torch.vtensor<[2,3],f32>, %s: !torch.vtensor<[],f32>) -> (!torch.vtensor<[2,3],f8E4M3FN>) attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{the device can quantise only to integers}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.QuantizeLinear"(%x, %s) {torch.onnx.output_dtype = 17 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f8E4M3FN>
  return %out : !torch.vtensor<[2,3],f8E4M3FN>
}

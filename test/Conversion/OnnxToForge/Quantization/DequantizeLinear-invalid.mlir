// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[2,3],ui8>, %s: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{one per slice of axis 1}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.DequantizeLinear"(%x, %s) : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,3],f32>
  return %out : !torch.vtensor<[2,3],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[1,4,3],f32>) -> (!torch.vtensor<[1,4,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{the operand must end in an axis of 1 or 2 parts}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.DFT"(%x) : (!torch.vtensor<[1,4,3],f32>) -> !torch.vtensor<[1,4,2],f32>
  return %out : !torch.vtensor<[1,4,2],f32>
}

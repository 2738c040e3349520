// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @missing() -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %none = torch.constant.none
  // expected-error @+2 {{node '' (Identity, opset 13): input 0 is missing}}
  // expected-note @+1 {{operands: ('!torch.none')}}
  %r1 = torch.operator "onnx.Identity"(%none) : (!torch.none) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

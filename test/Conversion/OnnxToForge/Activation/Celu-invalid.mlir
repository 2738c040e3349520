// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @zero(%x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  // expected-error @+2 {{attribute 'alpha' must not be 0}}
  // expected-note @+1 {{operands}}
  %y = torch.operator "onnx.Celu"(%x) {torch.onnx.alpha = 0.0 : f32} : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
  return %y : !torch.vtensor<[3],f32>
}

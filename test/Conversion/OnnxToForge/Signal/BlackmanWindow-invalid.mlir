// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%n: !torch.vtensor<[],si64>) -> (!torch.vtensor<[4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+3 {{node '' (BlackmanWindow, opset 17): size (input 0) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<i64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %out = torch.operator "onnx.BlackmanWindow"(%n) : (!torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
  return %out : !torch.vtensor<[4],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @unknown(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+3 {{node '' (Unique, opset 11): the operand (input 0) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<4xf32>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %r = torch.operator "onnx.Unique"(%arg0) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+3 {{node '' (NonZero, opset 13): the operand (input 0) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<4xf32>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.NonZero"(%arg0) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4],si64>
  return %r : !torch.vtensor<[1,4],si64>
}

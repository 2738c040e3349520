// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// A value of `approximate` other than the two of ONNX, with characters that have to be escaped.
func.func @unknown_approximation(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{node '' (Gelu, opset 20): attribute 'approximate' must be none or tanh, but is 'x}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Gelu"(%arg0) {torch.onnx.approximate = "x\22)"} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @not_a_string(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{node '' (Gelu, opset 20): attribute 'approximate' is not a string}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Gelu"(%arg0) {torch.onnx.approximate = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

// Gelu exists since opset 20.
func.func @too_old(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  // expected-error @+2 {{node '' (Gelu, opset 19): the oldest converter is for opset 20}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Gelu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

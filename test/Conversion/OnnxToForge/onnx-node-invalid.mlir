// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// Unknown attributes are rejected, not ignored.
func.func @unread(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+3 {{node '' (Relu, opset 21): attribute 'alpha' is not known to this converter}}
  // expected-note @+2 {{operands: ('tensor<2x3xf32>')}}
  // expected-error @+1 {{node '' (Relu, opset 21): attribute 'mode' is not known to this converter}}
  %r1 = torch.operator "onnx.Relu"(%arg0) {torch.onnx.alpha = 1.000000e+00 : f32, torch.onnx.mode = "x"} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

// An attribute beyond 64 bits.
func.func @wide_attribute(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Softmax, opset 21): attribute 'axis' does not fit 64 bits}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Softmax"(%arg0) {torch.onnx.axis = 123456789012345678901234567890 : i128} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @wide_list(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+3 {{node '' (Transpose, opset 21): attribute 'perm' is not a list of integers}}
  // expected-note @+2 {{operands: ('tensor<2x3xf32>')}}
  // expected-error @+1 {{node '' (Transpose, opset 21): attribute 'perm' has 0 axes for an operand of rank 2}}
  %r1 = torch.operator "onnx.Transpose"(%arg0) {torch.onnx.perm = [0 : si64, 123456789012345678901234567890 : i128]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

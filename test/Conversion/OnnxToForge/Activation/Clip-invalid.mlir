// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// A bound with two elements.
func.func @two_bounds(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0.0, 1.0]> : tensor<2xf32>} : () -> !torch.vtensor<[2],f32>
  // expected-error @+2 {{node '' (Clip, opset 13): a bound must be one element of the operand's type}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xf32>')}}
  %r2 = torch.operator "onnx.Clip"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// -----

// A bound without elements.
func.func @empty_bound(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<> : tensor<0xf32>} : () -> !torch.vtensor<[0],f32>
  // expected-error @+2 {{node '' (Clip, opset 13): a bound must be one element of the operand's type}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<0xf32>')}}
  %r2 = torch.operator "onnx.Clip"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[0],f32>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @other_type(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<f16>} : () -> !torch.vtensor<[],f16>
  // expected-error @+2 {{node '' (Clip, opset 13): a bound must be one element of the operand's type}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<f16>')}}
  %r2 = torch.operator "onnx.Clip"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f16>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// -----

// Since opset 11 the bounds are inputs, and the attributes of opset 6 are rejected.
func.func @attribute_of_old(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Clip, opset 13): attribute 'min' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Clip"(%arg0) {torch.onnx.min = 0.000000e+00 : f32} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

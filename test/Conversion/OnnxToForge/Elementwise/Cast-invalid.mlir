// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// The device has no strings.
func.func @string(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],!torch.str> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Cast, opset 13): the device has no type for 'to' = STRING}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = 8 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],!torch.str>
  return %r1 : !torch.vtensor<[2,3],!torch.str>
}

// -----

func.func @float8(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f8E4M3FN> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  // expected-error @+2 {{node '' (Cast, opset 19): the device has no type for 'to' = FLOAT8E4M3FN}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = 17 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f8E4M3FN>
  return %r1 : !torch.vtensor<[2,3],f8E4M3FN>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Cast, opset 13): the device has no type for 'to' = 9999}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = 9999 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @name(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 5 : si64} {
  // expected-error @+2 {{node '' (Cast, opset 5): the device has no type for 'to' = UNDEFINED}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = "__import__"} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

// Before opset 6, the attribute 'to' is a string; here it is an integer.
func.func @integer_before_opset_6(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 5 : si64} {
  // expected-error @+3 {{node '' (Cast, opset 5): attribute 'to' is not a string}}
  // expected-note @+2 {{operands: ('tensor<2x3xf32>')}}
  // expected-error @+1 {{node '' (Cast, opset 5): the device has no type for 'to' = UNDEFINED}}
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @missing(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+3 {{node '' (Cast, opset 13): attribute 'to' is missing}}
  // expected-note @+2 {{operands: ('tensor<2x3xf32>')}}
  // expected-error @+1 {{node '' (Cast, opset 13): the device has no type for 'to' = UNDEFINED}}
  %r1 = torch.operator "onnx.Cast"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ArgMax, opset 13): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.ArgMax"(%arg0) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],si64>
  return %r1 : !torch.vtensor<[1,3],si64>
}

// -----

func.func @empty(%arg0: !torch.vtensor<[0,3],f32>) -> !torch.vtensor<[1,3],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ArgMax, opset 13): an empty axis has no extremum}}
  // expected-note @+1 {{operands: ('tensor<0x3xf32>')}}
  %r1 = torch.operator "onnx.ArgMax"(%arg0) : (!torch.vtensor<[0,3],f32>) -> !torch.vtensor<[1,3],si64>
  return %r1 : !torch.vtensor<[1,3],si64>
}

// -----

func.func @early_attribute(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (ArgMax, opset 11): attribute 'select_last_index' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.ArgMax"(%arg0) {torch.onnx.select_last_index = 0 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],si64>
  return %r1 : !torch.vtensor<[1,3],si64>
}

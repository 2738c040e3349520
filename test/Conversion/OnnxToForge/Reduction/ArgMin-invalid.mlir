// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ArgMin, opset 13): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r = torch.operator "onnx.ArgMin"(%arg0) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// -----

func.func @empty(%arg0: !torch.vtensor<[2,0],f32>) -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ArgMin, opset 13): an empty axis has no extremum}}
  // expected-note @+1 {{operands: ('tensor<2x0xf32>')}}
  %r = torch.operator "onnx.ArgMin"(%arg0) {torch.onnx.axis = 1 : si64, torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,0],f32>) -> !torch.vtensor<[2],si64>
  return %r : !torch.vtensor<[2],si64>
}

// -----

func.func @last_too_new(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (ArgMin, opset 11): attribute 'select_last_index' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r = torch.operator "onnx.ArgMin"(%arg0) {torch.onnx.select_last_index = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],si64>
  return %r : !torch.vtensor<[1,3],si64>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @rank(%arg0: !torch.vtensor<[4,4],f32>) -> !torch.vtensor<[4,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (SpaceToDepth, opset 13): the operand must have rank 4 and 'blocksize' must be positive}}
  // expected-note @+1 {{operands: ('tensor<4x4xf32>')}}
  %r = torch.operator "onnx.SpaceToDepth"(%arg0) {torch.onnx.blocksize = 2 : si64} : (!torch.vtensor<[4,4],f32>) -> !torch.vtensor<[4,4],f32>
  return %r : !torch.vtensor<[4,4],f32>
}

// -----

func.func @block(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (SpaceToDepth, opset 13): the operand must have rank 4 and 'blocksize' must be positive}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>')}}
  %r = torch.operator "onnx.SpaceToDepth"(%arg0) {torch.onnx.blocksize = 0 : si64} : (!torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// -----

func.func @divides(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (SpaceToDepth, opset 13): the block does not divide the height and the width}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>')}}
  %r = torch.operator "onnx.SpaceToDepth"(%arg0) {torch.onnx.blocksize = 3 : si64} : (!torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// -----

func.func @mode(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,4,2,2],f32> attributes {torch.onnx_meta.opset_version = 28 : si64} {
  // expected-error @+2 {{node '' (SpaceToDepth, opset 28): attribute 'mode' must be DCR or CRD, but is 'CDR'}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>')}}
  %r = torch.operator "onnx.SpaceToDepth"(%arg0) {torch.onnx.blocksize = 2 : si64, torch.onnx.mode = "CDR"} : (!torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,4,2,2],f32>
  return %r : !torch.vtensor<[1,4,2,2],f32>
}

// -----

func.func @mode_too_new(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,4,2,2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (SpaceToDepth, opset 13): attribute 'mode' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>')}}
  %r = torch.operator "onnx.SpaceToDepth"(%arg0) {torch.onnx.blocksize = 2 : si64, torch.onnx.mode = "CRD"} : (!torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,4,2,2],f32>
  return %r : !torch.vtensor<[1,4,2,2],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axes(%arg0: !torch.vtensor<[4,3],f32>, %arg1: !torch.vtensor<[3],si64>) -> !torch.vtensor<[4,3],f32> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (ReverseSequence, opset 10): the first two axes must be batch and time, with one length per batch row}}
  // expected-note @+1 {{operands: ('tensor<4x3xf32>', 'tensor<3xi64>')}}
  %r = torch.operator "onnx.ReverseSequence"(%arg0, %arg1) {torch.onnx.batch_axis = 0 : si64, torch.onnx.time_axis = 0 : si64} : (!torch.vtensor<[4,3],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[4,3],f32>
  return %r : !torch.vtensor<[4,3],f32>
}

// -----

func.func @rank(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (ReverseSequence, opset 10): the first two axes must be batch and time, with one length per batch row}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<4xi64>')}}
  %r = torch.operator "onnx.ReverseSequence"(%arg0, %arg1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @lengths(%arg0: !torch.vtensor<[4,3],f32>, %arg1: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4,3],f32> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (ReverseSequence, opset 10): the first two axes must be batch and time, with one length per batch row}}
  // expected-note @+1 {{operands: ('tensor<4x3xf32>', 'tensor<4xi64>')}}
  %r = torch.operator "onnx.ReverseSequence"(%arg0, %arg1) : (!torch.vtensor<[4,3],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[4,3],f32>
  return %r : !torch.vtensor<[4,3],f32>
}

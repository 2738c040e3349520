// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{node '' (LayerNormalization, opset 17): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<4xf32>')}}
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @scale(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{node '' (LayerNormalization, opset 17): scale or bias does not broadcast to the operand}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @large_scale(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[3,2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{node '' (LayerNormalization, opset 17): scale or bias does not broadcast to the operand}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<3x2x4xf32>')}}
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[3,2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @mean(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2,1],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{node '' (LayerNormalization, opset 17): output 'Mean' is not supported}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<4xf32>')}}
  %r1_0, %r1_1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>) -> (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2,1],f32>)
  return %r1_0, %r1_1 : !torch.vtensor<[2,4],f32>, !torch.vtensor<[2,1],f32>
}

// -----

func.func @deviation(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2,1],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{node '' (LayerNormalization, opset 17): output 'InvStdDev' is not supported}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<4xf32>')}}
  %r1_0, %r1_1, %r1_2 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>) -> (!torch.vtensor<[2,4],f32>, !torch.none, !torch.vtensor<[2,1],f32>)
  return %r1_0, %r1_2 : !torch.vtensor<[2,4],f32>, !torch.vtensor<[2,1],f32>
}

// -----

func.func @stash(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{node '' (LayerNormalization, opset 17): attribute 'stash_type' must be 1 (float)}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<4xf32>')}}
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) {torch.onnx.stash_type = 16 : si64} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{node '' (LayerNormalization, opset 17): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<4xf32>')}}
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @scale(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{node '' (LayerNormalization, opset 17): scale or bias does not broadcast to the normalised dims}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @large_scale(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{node '' (LayerNormalization, opset 17): scale or bias does not broadcast to the normalised dims}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<2x4xf32>')}}
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[2,4],si32>, %arg1: !torch.vtensor<[4],si32>) -> !torch.vtensor<[2,4],si32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{node '' (LayerNormalization, opset 17): 'forge.layernorm' op (C1) expected a floating-point operand, but got 'tensor<2x4xi32>'}}
  // expected-note @+1 {{operands: ('tensor<2x4xi32>', 'tensor<4xi32>')}}
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) : (!torch.vtensor<[2,4],si32>, !torch.vtensor<[4],si32>) -> !torch.vtensor<[2,4],si32>
  return %r1 : !torch.vtensor<[2,4],si32>
}

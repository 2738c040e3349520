// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @mode(%arg0: !torch.vtensor<[1,1,4,4],f32>, %arg1: !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{node '' (GridSample, opset 20): attribute 'mode' must be linear, nearest or cubic, but is 'bilinear'}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>', 'tensor<1x2x2x2xf32>')}}
  %r = torch.operator "onnx.GridSample"(%arg0, %arg1) {torch.onnx.mode = "bilinear"} : (!torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2],f32>
}

// -----

func.func @cubic_volume(%arg0: !torch.vtensor<[1,1,4,4],f32>, %arg1: !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (GridSample, opset 16): attribute 'mode' must be bilinear, nearest or bicubic, but is 'trilinear'}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>', 'tensor<1x2x2x2xf32>')}}
  %r = torch.operator "onnx.GridSample"(%arg0, %arg1) {torch.onnx.mode = "trilinear"} : (!torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2],f32>
}

// -----

func.func @padding(%arg0: !torch.vtensor<[1,1,4,4],f32>, %arg1: !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{node '' (GridSample, opset 20): attribute 'padding_mode' must be zeros, border or reflection, but is 'wrap'}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>', 'tensor<1x2x2x2xf32>')}}
  %r = torch.operator "onnx.GridSample"(%arg0, %arg1) {torch.onnx.padding_mode = "wrap"} : (!torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2],f32>
}

// -----

func.func @cubic_border(%arg0: !torch.vtensor<[1,1,4,4],f32>, %arg1: !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{node '' (GridSample, opset 20): cubic interpolation with padding_mode border has no one definition}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>', 'tensor<1x2x2x2xf32>')}}
  %r = torch.operator "onnx.GridSample"(%arg0, %arg1) {torch.onnx.mode = "cubic", torch.onnx.padding_mode = "border"} : (!torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2],f32>
}

// -----

func.func @grid_rank(%arg0: !torch.vtensor<[1,1,4,4],f32>, %arg1: !torch.vtensor<[1,2,2,3],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{node '' (GridSample, opset 20): the grid does not fit the operand, or there are more than three spatial axes}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>', 'tensor<1x2x2x3xf32>')}}
  %r = torch.operator "onnx.GridSample"(%arg0, %arg1) : (!torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,2,2,3],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2],f32>
}

// -----

func.func @batch(%arg0: !torch.vtensor<[1,1,4,4],f32>, %arg1: !torch.vtensor<[2,2,2,2],f32>) -> !torch.vtensor<[2,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{node '' (GridSample, opset 20): the grid does not fit the operand, or there are more than three spatial axes}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>', 'tensor<2x2x2x2xf32>')}}
  %r = torch.operator "onnx.GridSample"(%arg0, %arg1) : (!torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[2,2,2,2],f32>) -> !torch.vtensor<[2,1,2,2],f32>
  return %r : !torch.vtensor<[2,1,2,2],f32>
}

// -----

func.func @double(%arg0: !torch.vtensor<[1,1,4,4],f64>, %arg1: !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f64> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{node '' (GridSample, opset 20): only floating-point operands of up to 32 bits are supported}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf64>', 'tensor<1x2x2x2xf32>')}}
  %r = torch.operator "onnx.GridSample"(%arg0, %arg1) : (!torch.vtensor<[1,1,4,4],f64>, !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f64>
  return %r : !torch.vtensor<[1,1,2,2],f64>
}

// -----

func.func @empty_grid(%arg0: !torch.vtensor<[1,1,4,4],f32>, %arg1: !torch.vtensor<[1,0,2,2],f32>) -> !torch.vtensor<[1,1,0,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{[FM1407] node '' (GridSample, opset 20): the grid is empty}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>', 'tensor<1x0x2x2xf32>')}}
  %r = torch.operator "onnx.GridSample"(%arg0, %arg1) : (!torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[1,0,2,2],f32>) -> !torch.vtensor<[1,1,0,2],f32>
  return %r : !torch.vtensor<[1,1,0,2],f32>
}

// -----

func.func @large(%arg0: !torch.vtensor<[1,1,8192,4096],f32>, %arg1: !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{[FM1406] node '' (GridSample, opset 20): the operand has more elements than a float can count}}
  // expected-note @+1 {{operands: ('tensor<1x1x8192x4096xf32>', 'tensor<1x2x2x2xf32>')}}
  %r = torch.operator "onnx.GridSample"(%arg0, %arg1) : (!torch.vtensor<[1,1,8192,4096],f32>, !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2],f32>
}

// -----

func.func @empty_operand(%arg0: !torch.vtensor<[1,0,4,4],f32>, %arg1: !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,0,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+2 {{[FM1407] node '' (GridSample, opset 20): the operand is empty}}
  // expected-note @+1 {{operands: ('tensor<1x0x4x4xf32>', 'tensor<1x2x2x2xf32>')}}
  %r = torch.operator "onnx.GridSample"(%arg0, %arg1) : (!torch.vtensor<[1,0,4,4],f32>, !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,0,2,2],f32>
  return %r : !torch.vtensor<[1,0,2,2],f32>
}

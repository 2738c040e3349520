// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @rank(%arg0: !torch.vtensor<[2,8,8],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (RoiAlign, opset 16): the operand must be floating point and have rank 4}}
  // expected-note @+1 {{operands: ('tensor<2x8x8xf32>', 'tensor<3x4xf32>', 'tensor<3xi64>')}}
  %r = torch.operator "onnx.RoiAlign"(%arg0, %arg1, %arg2) {torch.onnx.sampling_ratio = 2 : si64} : (!torch.vtensor<[2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32>
  return %r : !torch.vtensor<[3,2,1,1],f32>
}

// -----

func.func @adaptive(%arg0: !torch.vtensor<[1,2,8,8],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (RoiAlign, opset 16): attribute 'sampling_ratio' 0 takes as many samples as each region is large; give their number}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x8xf32>', 'tensor<3x4xf32>', 'tensor<3xi64>')}}
  %r = torch.operator "onnx.RoiAlign"(%arg0, %arg1, %arg2) : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32>
  return %r : !torch.vtensor<[3,2,1,1],f32>
}

// -----

func.func @samples(%arg0: !torch.vtensor<[1,2,8,8],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (RoiAlign, opset 16): attribute 'sampling_ratio' above 16 is not supported}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x8xf32>', 'tensor<3x4xf32>', 'tensor<3xi64>')}}
  %r = torch.operator "onnx.RoiAlign"(%arg0, %arg1, %arg2) {torch.onnx.sampling_ratio = 17 : si64} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32>
  return %r : !torch.vtensor<[3,2,1,1],f32>
}

// -----

func.func @mode(%arg0: !torch.vtensor<[1,2,8,8],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (RoiAlign, opset 16): attribute 'mode' must be avg or max, but is 'min'}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x8xf32>', 'tensor<3x4xf32>', 'tensor<3xi64>')}}
  %r = torch.operator "onnx.RoiAlign"(%arg0, %arg1, %arg2) {torch.onnx.sampling_ratio = 2 : si64, torch.onnx.mode = "min"} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32>
  return %r : !torch.vtensor<[3,2,1,1],f32>
}

// -----

func.func @transform(%arg0: !torch.vtensor<[1,2,8,8],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (RoiAlign, opset 16): attribute 'coordinate_transformation_mode' must be half_pixel or output_half_pixel, but is 'asymmetric'}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x8xf32>', 'tensor<3x4xf32>', 'tensor<3xi64>')}}
  %r = torch.operator "onnx.RoiAlign"(%arg0, %arg1, %arg2) {torch.onnx.sampling_ratio = 2 : si64, torch.onnx.coordinate_transformation_mode = "asymmetric"} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32>
  return %r : !torch.vtensor<[3,2,1,1],f32>
}

// -----

func.func @regions(%arg0: !torch.vtensor<[1,2,8,8],f32>, %arg1: !torch.vtensor<[3,5],f32>, %arg2: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (RoiAlign, opset 16): expected regions of shape (count, 4), and as many image numbers}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x8xf32>', 'tensor<3x5xf32>', 'tensor<3xi64>')}}
  %r = torch.operator "onnx.RoiAlign"(%arg0, %arg1, %arg2) {torch.onnx.sampling_ratio = 2 : si64} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,5],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,1,1],f32>
  return %r : !torch.vtensor<[3,2,1,1],f32>
}

// -----

func.func @size(%arg0: !torch.vtensor<[1,2,8,8],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,0,1],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{[FM1105] node '' (RoiAlign, opset 16): attributes 'output_height' and 'output_width' must be in [1, 1024]}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x8xf32>', 'tensor<3x4xf32>', 'tensor<3xi64>')}}
  %r = torch.operator "onnx.RoiAlign"(%arg0, %arg1, %arg2) {torch.onnx.sampling_ratio = 2 : si64, torch.onnx.output_height = 0 : si64} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[3,2,0,1],f32>
  return %r : !torch.vtensor<[3,2,0,1],f32>
}

// -----

func.func @large(%arg0: !torch.vtensor<[1,2,8,8],f32>, %arg1: !torch.vtensor<[100000,4],f32>, %arg2: !torch.vtensor<[100000],si64>) -> !torch.vtensor<[100000,2,100,1],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (RoiAlign, opset 16): more than 16777216 samples of the operand are too many}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x8xf32>', 'tensor<100000x4xf32>', 'tensor<100000xi64>')}}
  %r = torch.operator "onnx.RoiAlign"(%arg0, %arg1, %arg2) {torch.onnx.sampling_ratio = 2 : si64, torch.onnx.output_height = 100 : si64} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[100000,4],f32>, !torch.vtensor<[100000],si64>) -> !torch.vtensor<[100000,2,100,1],f32>
  return %r : !torch.vtensor<[100000,2,100,1],f32>
}

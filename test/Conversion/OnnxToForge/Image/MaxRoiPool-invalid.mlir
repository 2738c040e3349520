// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @rank(%arg0: !torch.vtensor<[2,8,8],f32>, %arg1: !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  // expected-error @+2 {{node '' (MaxRoiPool, opset 1): the operand must be floating point and have rank 4}}
  // expected-note @+1 {{operands: ('tensor<2x8x8xf32>', 'tensor<3x5xf32>')}}
  %r = torch.operator "onnx.MaxRoiPool"(%arg0, %arg1) {torch.onnx.pooled_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[2,8,8],f32>, !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,2,2,2],f32>
  return %r : !torch.vtensor<[3,2,2,2],f32>
}

// -----

func.func @regions(%arg0: !torch.vtensor<[1,2,8,8],f32>, %arg1: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[3,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  // expected-error @+2 {{node '' (MaxRoiPool, opset 1): expected regions of shape (count, 5)}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x8xf32>', 'tensor<3x4xf32>')}}
  %r = torch.operator "onnx.MaxRoiPool"(%arg0, %arg1) {torch.onnx.pooled_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[3,2,2,2],f32>
  return %r : !torch.vtensor<[3,2,2,2],f32>
}

// -----

func.func @shape(%arg0: !torch.vtensor<[1,2,8,8],f32>, %arg1: !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,2,2,65],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  // expected-error @+2 {{[FM1105] node '' (MaxRoiPool, opset 1): attribute 'pooled_shape' must have two sizes in [1, 64]}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x8xf32>', 'tensor<3x5xf32>')}}
  %r = torch.operator "onnx.MaxRoiPool"(%arg0, %arg1) {torch.onnx.pooled_shape = [2 : si64, 65 : si64]} : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,2,2,65],f32>
  return %r : !torch.vtensor<[3,2,2,65],f32>
}

// -----

func.func @missing_shape(%arg0: !torch.vtensor<[1,2,8,8],f32>, %arg1: !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  // expected-error @+2 {{node '' (MaxRoiPool, opset 1): attribute 'pooled_shape' is missing}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x8xf32>', 'tensor<3x5xf32>')}}
  %r = torch.operator "onnx.MaxRoiPool"(%arg0, %arg1) : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[3,5],f32>) -> !torch.vtensor<[3,2,2,2],f32>
  return %r : !torch.vtensor<[3,2,2,2],f32>
}

// -----

func.func @large(%arg0: !torch.vtensor<[1,256,64,64],f32>, %arg1: !torch.vtensor<[1000,5],f32>) -> !torch.vtensor<[1000,256,2,2],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  // expected-error @+2 {{node '' (MaxRoiPool, opset 1): a copy of the feature map for each region has more than 67108864 elements}}
  // expected-note @+1 {{operands: ('tensor<1x256x64x64xf32>', 'tensor<1000x5xf32>')}}
  %r = torch.operator "onnx.MaxRoiPool"(%arg0, %arg1) {torch.onnx.pooled_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,256,64,64],f32>, !torch.vtensor<[1000,5],f32>) -> !torch.vtensor<[1000,256,2,2],f32>
  return %r : !torch.vtensor<[1000,256,2,2],f32>
}

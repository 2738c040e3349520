// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @defaults(
// CHECK: %[[V0:.+]] = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x4x6x6xf32>
func.func @defaults(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// Forge and ONNX have the same order of padding: top, left, bottom, right.
// CHECK-LABEL: func.func @all(
// CHECK: %[[V0:.+]] = forge.conv2d %arg0, %arg1, %arg2 stride [2, 1] padding [1, 0, 1, 2] dilation [1, 2] groups 2 : (tensor<1x4x8x9xf32>, tensor<6x2x3x2xf32>, tensor<6xf32>) -> tensor<1x6x4x9xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x6x4x9xf32>
func.func @all(%arg0: !torch.vtensor<[1,4,8,9],f32>, %arg1: !torch.vtensor<[6,2,3,2],f32>, %arg2: !torch.vtensor<[6],f32>) -> !torch.vtensor<[1,6,4,9],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1, %arg2) {torch.onnx.dilations = [1 : si64, 2 : si64], torch.onnx.group = 2 : si64, torch.onnx.kernel_shape = [3 : si64, 2 : si64], torch.onnx.pads = [1 : si64, 0 : si64, 1 : si64, 2 : si64], torch.onnx.strides = [2 : si64, 1 : si64]} : (!torch.vtensor<[1,4,8,9],f32>, !torch.vtensor<[6,2,3,2],f32>, !torch.vtensor<[6],f32>) -> !torch.vtensor<[1,6,4,9],f32>
  return %r1 : !torch.vtensor<[1,6,4,9],f32>
}

// With SAME_UPPER, the odd element of padding is at the end.
// CHECK-LABEL: func.func @same_upper(
// CHECK: %[[V0:.+]] = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 1, 1] : (tensor<1x1x5x5xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x5x5xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x1x5x5xf32>
func.func @same_upper(%arg0: !torch.vtensor<[1,1,5,5],f32>, %arg1: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,5,5],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.auto_pad = "SAME_UPPER"} : (!torch.vtensor<[1,1,5,5],f32>, !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,5,5],f32>
  return %r1 : !torch.vtensor<[1,1,5,5],f32>
}

// CHECK-LABEL: func.func @same_lower(
// CHECK: %[[V0:.+]] = forge.conv2d %arg0, %arg1 stride [1, 1] padding [1, 1, 0, 0] : (tensor<1x1x5x5xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x5x5xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x1x5x5xf32>
func.func @same_lower(%arg0: !torch.vtensor<[1,1,5,5],f32>, %arg1: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,5,5],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.auto_pad = "SAME_LOWER"} : (!torch.vtensor<[1,1,5,5],f32>, !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,5,5],f32>
  return %r1 : !torch.vtensor<[1,1,5,5],f32>
}

// CHECK-LABEL: func.func @valid(
// CHECK: %[[V0:.+]] = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x1x5x5xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x1x4x4xf32>
func.func @valid(%arg0: !torch.vtensor<[1,1,5,5],f32>, %arg1: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.auto_pad = "VALID"} : (!torch.vtensor<[1,1,5,5],f32>, !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r1 : !torch.vtensor<[1,1,4,4],f32>
}

// A convolution with one spatial axis becomes one of height 1.
// CHECK-LABEL: func.func @one_axis(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 3, 1, 8] : (tensor<1x3x8xf32>) -> tensor<1x3x1x8xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %arg1 shape [4, 3, 1, 3] : (tensor<4x3x3xf32>) -> tensor<4x3x1x3xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.conv2d %[[V0]], %[[V1]] stride [1, 1] padding [0, 1, 0, 1] : (tensor<1x3x1x8xf32>, tensor<4x3x1x3xf32>) -> tensor<1x4x1x8xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.reshape %[[V2]] shape [1, 4, 8] : (tensor<1x4x1x8xf32>) -> tensor<1x4x8xf32>
// CHECK-NEXT: return %[[V3]] : tensor<1x4x8xf32>
func.func @one_axis(%arg0: !torch.vtensor<[1,3,8],f32>, %arg1: !torch.vtensor<[4,3,3],f32>) -> !torch.vtensor<[1,4,8],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.pads = [1 : si64, 1 : si64]} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[4,3,3],f32>) -> !torch.vtensor<[1,4,8],f32>
  return %r1 : !torch.vtensor<[1,4,8],f32>
}

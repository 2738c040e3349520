// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// A 3D convolution becomes one 2D convolution: the slices that a kernel covers along the depth are concatenated as
// channels.
// CHECK-LABEL: func.func @depths(
// CHECK: %[[FIRST:.*]] = forge.strided_slice %{{.*}} dim 0 [0:2]
// CHECK: %[[SECOND:.*]] = forge.strided_slice %{{.*}} dim 0 [1:3]
// CHECK: %[[JOINED:.*]] = forge.concatenate %[[FIRST]], %[[SECOND]] axis -1 : (tensor<2x4x4x1xf32>, tensor<2x4x4x1xf32>) -> tensor<2x4x4x2xf32>
// CHECK: forge.conv2d %[[JOINED]]{{.*}} channel_last : (tensor<2x4x4x2xf32>, tensor<1x2x3x3xf32>) -> tensor<2x2x2x1xf32>
// CHECK-NOT: forge.conv2d
func.func @depths(%arg0: !torch.vtensor<[1,1,3,4,4],f32>, %arg1: !torch.vtensor<[1,1,2,3,3],f32>) -> !torch.vtensor<[1,1,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r = torch.operator "onnx.Conv"(%arg0, %arg1) : (!torch.vtensor<[1,1,3,4,4],f32>, !torch.vtensor<[1,1,2,3,3],f32>) -> !torch.vtensor<[1,1,2,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2,2],f32>
}

// A slice without padding along the depth is the operand itself.
// CHECK-LABEL: func.func @padded(
// CHECK: %[[PADDED:.*]] = forge.concatenate %{{.*}}, %[[X:.*]], %{{.*}} axis -4 : (tensor<1x4x4x2xf32>, tensor<3x4x4x2xf32>, tensor<1x4x4x2xf32>)
// CHECK: %[[FIRST:.*]] = forge.strided_slice %[[PADDED]] dim 0 [0:3]
// CHECK: %[[LAST:.*]] = forge.strided_slice %[[PADDED]] dim 0 [2:5]
// CHECK: forge.concatenate %[[FIRST]], %[[X]], %[[LAST]] axis -1
func.func @padded(%arg0: !torch.vtensor<[1,2,3,4,4],f32>, %arg1: !torch.vtensor<[4,2,3,3,3],f32>) -> !torch.vtensor<[1,4,3,2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.pads = [1 : si64, 0 : si64, 0 : si64, 1 : si64, 0 : si64, 0 : si64]} : (!torch.vtensor<[1,2,3,4,4],f32>, !torch.vtensor<[4,2,3,3,3],f32>) -> !torch.vtensor<[1,4,3,2,2],f32>
  return %r : !torch.vtensor<[1,4,3,2,2],f32>
}

// A kernel of one pixel, but several depths, is a 2D convolution along depth and flattened pixels.
// CHECK-LABEL: func.func @pixel(
// CHECK: forge.reshape %{{.*}} shape [2, 3, 16, 2]
// CHECK: forge.conv2d {{.*}} padding [1, 0, 1, 0] channel_last : (tensor<2x3x16x2xf32>, tensor<4x2x3x1xf32>) -> tensor<2x3x16x4xf32>
// CHECK-NOT: forge.conv2d
func.func @pixel(%arg0: !torch.vtensor<[2,2,3,4,4],f32>, %arg1: !torch.vtensor<[4,2,3,1,1],f32>) -> !torch.vtensor<[2,4,3,4,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.pads = [1 : si64, 0 : si64, 0 : si64, 1 : si64, 0 : si64, 0 : si64]} : (!torch.vtensor<[2,2,3,4,4],f32>, !torch.vtensor<[4,2,3,1,1],f32>) -> !torch.vtensor<[2,4,3,4,4],f32>
  return %r : !torch.vtensor<[2,4,3,4,4],f32>
}

// Kernel positions that only read padding along the depth are removed. A single slice remains, which is a 2D image.
// CHECK-LABEL: func.func @one_slice(
// CHECK-NOT: forge.strided_slice %arg0
// CHECK-NOT: forge.concatenate
// CHECK: forge.conv2d {{.*}} channel_last : (tensor<1x4x4x2xf32>, tensor<4x2x3x3xf32>)
func.func @one_slice(%arg0: !torch.vtensor<[1,2,1,4,4],f32>, %arg1: !torch.vtensor<[4,2,3,3,3],f32>) -> !torch.vtensor<[1,4,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.pads = [1 : si64, 0 : si64, 0 : si64, 1 : si64, 0 : si64, 0 : si64]} : (!torch.vtensor<[1,2,1,4,4],f32>, !torch.vtensor<[4,2,3,3,3],f32>) -> !torch.vtensor<[1,4,1,2,2],f32>
  return %r : !torch.vtensor<[1,4,1,2,2],f32>
}

// With groups, concatenated slices would separate the channels of a group: one convolution per depth, and a sum.
// CHECK-LABEL: func.func @groups(
// CHECK: forge.conv2d
// CHECK: forge.conv2d
// CHECK: forge.add
func.func @groups(%arg0: !torch.vtensor<[1,2,3,4,4],f32>, %arg1: !torch.vtensor<[4,1,2,3,3],f32>) -> !torch.vtensor<[1,4,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.group = 2 : si64} : (!torch.vtensor<[1,2,3,4,4],f32>, !torch.vtensor<[4,1,2,3,3],f32>) -> !torch.vtensor<[1,4,2,2,2],f32>
  return %r : !torch.vtensor<[1,4,2,2,2],f32>
}

// Along the depth, the windows do not overlap: the slices of a window are adjacent and become channels by a reshape.
// CHECK-LABEL: func.func @patches(
// CHECK-NOT: forge.concatenate
// CHECK: %[[CUT:.*]] = forge.strided_slice %{{.*}} dim 2 [0:4]
// CHECK: %[[FRONT:.*]] = forge.transpose %[[CUT]] dims -4, -3 : (tensor<1x3x4x4x4xf32>) -> tensor<1x4x3x4x4xf32>
// CHECK: forge.reshape %[[FRONT]] shape [2, 6, 4, 4]
// CHECK: forge.conv2d %{{.*}} stride [2, 2] padding [0, 0, 0, 0] channel_last : (tensor<2x4x4x6xf32>, tensor<7x6x2x2xf32>) -> tensor<2x2x2x7xf32>
// CHECK-NOT: forge.conv2d
func.func @patches(%arg0: !torch.vtensor<[1,3,5,4,4],f32>, %arg1: !torch.vtensor<[7,3,2,2,2],f32>) -> !torch.vtensor<[1,7,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.strides = [2 : si64, 2 : si64, 2 : si64]} : (!torch.vtensor<[1,3,5,4,4],f32>, !torch.vtensor<[7,3,2,2,2],f32>) -> !torch.vtensor<[1,7,2,2,2],f32>
  return %r : !torch.vtensor<[1,7,2,2,2],f32>
}

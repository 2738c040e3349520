// RUN: forge-opt %s --forge-lower-strided-slice | FileCheck %s

// A slice of one axis; the axis of forge.index is a negative dim.
// CHECK-LABEL: func.func @one_axis(
// CHECK: %[[V0:.+]] = forge.index %arg0 dim -1 [2:5] : (tensor<2x10xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @one_axis(%x: tensor<2x10xf32>) -> tensor<2x3xf32> {
  %0 = forge.strided_slice %x dim 1 [2:5] : (tensor<2x10xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// A slice with a step.
// CHECK-LABEL: func.func @strides(
// CHECK: %[[V0:.+]] = forge.index %arg0 dim -1 [1:9:3] : (tensor<2x10xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @strides(%x: tensor<2x10xf32>) -> tensor<2x3xf32> {
  %0 = forge.strided_slice %x dim 1 [1:9:3] : (tensor<2x10xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Negative bounds count from the end.
// CHECK-LABEL: func.func @negative_bounds(
// CHECK: %[[V0:.+]] = forge.index %arg0 dim -1 [6:9] : (tensor<2x10xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @negative_bounds(%x: tensor<2x10xf32>) -> tensor<2x3xf32> {
  %0 = forge.strided_slice %x dim -1 [-4:-1] : (tensor<2x10xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// INT64_MAX means the end.
// CHECK-LABEL: func.func @to_the_end(
// CHECK: %[[V0:.+]] = forge.index %arg0 dim -1 [7:10] : (tensor<2x10xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @to_the_end(%x: tensor<2x10xf32>) -> tensor<2x3xf32> {
  %0 = forge.strided_slice %x dim 1 [7:9223372036854775807] : (tensor<2x10xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// INT64_MIN means the beginning.
// CHECK-LABEL: func.func @from_the_beginning(
// CHECK: %[[V0:.+]] = forge.index %arg0 dim -1 [0:3] : (tensor<2x10xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @from_the_beginning(%x: tensor<2x10xf32>) -> tensor<2x3xf32> {
  %0 = forge.strided_slice %x dim 1 [-9223372036854775808:3] : (tensor<2x10xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// A slice of one element gets no step, because Forge would require it to be at most the size of the axis.
// CHECK-LABEL: func.func @stride_beyond_the_axis(
// CHECK: %[[V0:.+]] = forge.index %arg0 dim -1 [3:4] : (tensor<2x10xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x1xf32>
func.func @stride_beyond_the_axis(%x: tensor<2x10xf32>) -> tensor<2x1xf32> {
  %0 = forge.strided_slice %x dim 1 [3:9223372036854775807:100] : (tensor<2x10xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// The same for the largest step.
// CHECK-LABEL: func.func @stride_int64_max(
// CHECK: %[[V0:.+]] = forge.index %arg0 dim -1 [3:4] : (tensor<2x10xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x1xf32>
func.func @stride_int64_max(%x: tensor<2x10xf32>) -> tensor<2x1xf32> {
  %0 = forge.strided_slice %x dim 1 [3:9223372036854775807:9223372036854775807] : (tensor<2x10xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// A slice of the whole axis is removed.
// CHECK-LABEL: func.func @whole_axis(
// CHECK: return %arg0 : tensor<2x10xf32>
func.func @whole_axis(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {
  %0 = forge.strided_slice %x dim 1 [0:9223372036854775807] : tensor<2x10xf32>
  return %0 : tensor<2x10xf32>
}

// So is a slice of no axis.
// CHECK-LABEL: func.func @no_axes(
// CHECK: return %arg0 : tensor<2x10xf32>
func.func @no_axes(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {
  %0 = forge.strided_slice %x : tensor<2x10xf32>
  return %0 : tensor<2x10xf32>
}

// Each sliced axis gets one forge.index; a slice of the whole axis is removed.
// CHECK-LABEL: func.func @several_axes(
// CHECK: %[[V0:.+]] = forge.index %arg0 dim -1 [1:3] : (tensor<2x10x4xf32>) -> tensor<2x10x2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.index %[[V0]] dim -3 [1:2] : (tensor<2x10x2xf32>) -> tensor<1x10x2xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1x10x2xf32>
func.func @several_axes(%x: tensor<2x10x4xf32>) -> tensor<1x10x2xf32> {
  %0 = forge.strided_slice %x dim 2 [1:3] dim 0 [1:2] dim 1 [0:10] : (tensor<2x10x4xf32>) -> tensor<1x10x2xf32>
  return %0 : tensor<1x10x2xf32>
}

// Forge slices forward only: a reversed axis becomes a gather.
// CHECK-LABEL: func.func @reversed(
// CHECK: %[[V0:.+]] = forge.constant dense<[9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<10xi64>
// CHECK-NEXT: %[[V1:.+]] = forge.adv_index %arg0, %[[V0]] dim -1 : (tensor<2x10xf32>, tensor<10xi64>) -> tensor<2x10xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x10xf32>
func.func @reversed(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {
  %0 = forge.strided_slice %x dim 1 [-1:-9223372036854775808:-1] : tensor<2x10xf32>
  return %0 : tensor<2x10xf32>
}

// From 8 down to 3 in steps of 2.
// CHECK-LABEL: func.func @backward(
// CHECK: %[[V0:.+]] = forge.constant dense<[8, 6, 4]> : tensor<3xi64>
// CHECK-NEXT: %[[V1:.+]] = forge.adv_index %arg0, %[[V0]] dim -1 : (tensor<2x10xf32>, tensor<3xi64>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xf32>
func.func @backward(%x: tensor<2x10xf32>) -> tensor<2x3xf32> {
  %0 = forge.strided_slice %x dim 1 [8:2:-2] : (tensor<2x10xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// With a negative step, a begin below the axis is clamped to 0, as ONNX specifies.
// CHECK-LABEL: func.func @below_the_axis(
// CHECK: %[[V0:.+]] = forge.index %arg0 dim -1 [0:1] : (tensor<2x10xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x1xf32>
func.func @below_the_axis(%x: tensor<2x10xf32>) -> tensor<2x1xf32> {
  %0 = forge.strided_slice %x dim 1 [-100:-9223372036854775808:-1] : (tensor<2x10xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// A slice of one element is forward, whatever the sign of the step.
// CHECK-LABEL: func.func @one_backward(
// CHECK: %[[V0:.+]] = forge.index %arg0 dim -1 [4:5] : (tensor<2x10xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x1xf32>
func.func @one_backward(%x: tensor<2x10xf32>) -> tensor<2x1xf32> {
  %0 = forge.strided_slice %x dim 1 [4:-9223372036854775808:-9223372036854775808] : (tensor<2x10xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// An empty slice becomes an empty constant.
// CHECK-LABEL: func.func @empty(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x0xf32>
func.func @empty(%x: tensor<2x10xf32>) -> tensor<2x0xf32> {
  %0 = forge.strided_slice %x dim 1 [5:2] : (tensor<2x10xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// So does an empty reversed slice.
// CHECK-LABEL: func.func @empty_backward(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x0xf32>
func.func @empty_backward(%x: tensor<2x10xf32>) -> tensor<2x0xf32> {
  %0 = forge.strided_slice %x dim 1 [2:5:-1] : (tensor<2x10xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// A slice of an empty axis.
// CHECK-LABEL: func.func @of_empty_axis(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<0x3xf32>
func.func @of_empty_axis(%x: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %0 = forge.strided_slice %x dim 0 [0:9223372036854775807] : tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

// The same with a negative step.
// CHECK-LABEL: func.func @of_empty_axis_backward(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<0x3xf32>
func.func @of_empty_axis_backward(%x: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %0 = forge.strided_slice %x dim 0 [-1:-9223372036854775808:-1] : tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

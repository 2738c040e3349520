// RUN: forge-opt %s --forge-lower-split | FileCheck %s

// A split becomes one slice per result, in order.
// CHECK-LABEL: func.func @one_slice_per_result(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim -1 [0:2] : (tensor<2x10xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.strided_slice %arg0 dim -1 [2:5] : (tensor<2x10xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.strided_slice %arg0 dim -1 [5:10] : (tensor<2x10xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]] : tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x5xf32>
func.func @one_slice_per_result(%x: tensor<2x10xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x5xf32>) {
  %0:3 = forge.split %x dim -1 sizes [2, 3, 5] : (tensor<2x10xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x5xf32>)
  return %0#0, %0#1, %0#2 : tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x5xf32>
}

// Unused results get no slice, but count for the offsets of the others.
// CHECK-LABEL: func.func @unused(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 1 [2:5] : (tensor<2x10xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @unused(%x: tensor<2x10xf32>) -> tensor<2x3xf32> {
  %0:3 = forge.split %x dim 1 sizes [2, 3, 5] : (tensor<2x10xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x5xf32>)
  return %0#1 : tensor<2x3xf32>
}

// An unused split is removed.
// CHECK-LABEL: func.func @dead(
// CHECK: return %arg0 : tensor<2x10xf32>
func.func @dead(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {
  %0:2 = forge.split %x dim 1 sizes [2, 8] : (tensor<2x10xf32>) -> (tensor<2x2xf32>, tensor<2x8xf32>)
  return %x : tensor<2x10xf32>
}

// A result without elements.
// CHECK-LABEL: func.func @empty_result(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 1 [0:10] : tensor<2x10xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.strided_slice %arg0 dim 1 [10:10] : (tensor<2x10xf32>) -> tensor<2x0xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<2x10xf32>, tensor<2x0xf32>
func.func @empty_result(%x: tensor<2x10xf32>) -> (tensor<2x10xf32>, tensor<2x0xf32>) {
  %0:2 = forge.split %x dim 1 sizes [10, 0] : (tensor<2x10xf32>) -> (tensor<2x10xf32>, tensor<2x0xf32>)
  return %0#0, %0#1 : tensor<2x10xf32>, tensor<2x0xf32>
}

// A split into one part is a slice of the whole axis, which the next pass removes.
// CHECK-LABEL: func.func @whole(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 0 [0:2] : tensor<2x10xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x10xf32>
func.func @whole(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {
  %0 = forge.split %x dim 0 sizes [2] : (tensor<2x10xf32>) -> tensor<2x10xf32>
  return %0 : tensor<2x10xf32>
}

// A result with two users is one slice.
// CHECK-LABEL: func.func @used_twice(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 0 [0:1] : (tensor<2x10xf32>) -> tensor<1x10xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.add %[[V0]], %[[V0]] : tensor<1x10xf32>
// CHECK-NEXT: return %[[V1]], %[[V0]] : tensor<1x10xf32>, tensor<1x10xf32>
func.func @used_twice(%x: tensor<2x10xf32>) -> (tensor<1x10xf32>, tensor<1x10xf32>) {
  %0:2 = forge.split %x dim 0 sizes [1, 1] : (tensor<2x10xf32>) -> (tensor<1x10xf32>, tensor<1x10xf32>)
  %1 = forge.add %0#0, %0#0 : tensor<1x10xf32>
  return %1, %0#0 : tensor<1x10xf32>, tensor<1x10xf32>
}

// RUN: forge-opt %s --forge-divisibility-rewrite="rules=sink remarks" 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t

// REMARK: remark: sink: 2 slices are taken 2 ops later, tile traffic
// REMARK: remark: sink: 2 slices are taken 1 ops later, tile traffic
// REMARK-NOT: remark

// TensorFlow splits channels that are the trailing axis. After the transposes, the channels are not tiled.
// CHECK-LABEL: func.func @channels_last(
// CHECK-NEXT: %[[A:.+]] = forge.transpose %arg0 dims 1, 3 : (tensor<1x28x28x116xf32>) -> tensor<1x116x28x28xf32>
// CHECK-NEXT: %[[B:.+]] = forge.transpose %[[A]] dims 2, 3
// CHECK-NEXT: forge.strided_slice %[[B]] dim 1 [0:58]
// CHECK-NEXT: forge.strided_slice %[[B]] dim 1 [58:116]
// CHECK-NEXT: return
func.func @channels_last(%x: tensor<1x28x28x116xf32>) -> (tensor<1x58x28x28xf32>, tensor<1x58x28x28xf32>) {
  %a = forge.strided_slice %x dim 3 [0:58] : (tensor<1x28x28x116xf32>) -> tensor<1x28x28x58xf32>
  %b = forge.strided_slice %x dim 3 [58:116] : (tensor<1x28x28x116xf32>) -> tensor<1x28x28x58xf32>
  %c = forge.transpose %a dims 1, 3 : (tensor<1x28x28x58xf32>) -> tensor<1x58x28x28xf32>
  %d = forge.transpose %b dims -3, -1 : (tensor<1x28x28x58xf32>) -> tensor<1x58x28x28xf32>
  %e = forge.transpose %c dims 2, 3 : tensor<1x58x28x28xf32>
  %f = forge.transpose %d dims 2, 3 : tensor<1x58x28x28xf32>
  return %e, %f : tensor<1x58x28x28xf32>, tensor<1x58x28x28xf32>
}

// Rows 0 to 40 and 40 to 100 of a matrix are reshaped to batches of 20 rows each: they become slices 0 to 2 and 2 to 5
// of the reshaped whole.
// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT: %[[R:.+]] = forge.reshape %arg0 shape [5, 20, 64] : (tensor<100x64xf32>) -> tensor<5x20x64xf32>
// CHECK-NEXT: forge.strided_slice %[[R]] dim 0 [0:2]
// CHECK-NEXT: forge.strided_slice %[[R]] dim 0 [2:5]
// CHECK-NEXT: return
func.func @reshape(%x: tensor<100x64xf32>) -> (tensor<2x20x64xf32>, tensor<3x20x64xf32>) {
  %a = forge.strided_slice %x dim 0 [0:40] : (tensor<100x64xf32>) -> tensor<40x64xf32>
  %b = forge.strided_slice %x dim 0 [40:100] : (tensor<100x64xf32>) -> tensor<60x64xf32>
  %c = forge.reshape %a shape [2, 20, 64] : (tensor<40x64xf32>) -> tensor<2x20x64xf32>
  %d = forge.reshape %b shape [3, 20, 64] : (tensor<60x64xf32>) -> tensor<3x20x64xf32>
  return %c, %d : tensor<2x20x64xf32>, tensor<3x20x64xf32>
}

// 35 rows are no multiple of 20, so that the whole cannot be reshaped.
// CHECK-LABEL: func.func @indivisible(
// CHECK-NEXT: forge.strided_slice %arg0
// CHECK-NEXT: forge.strided_slice %arg0
// CHECK: return
func.func @indivisible(%x: tensor<75x64xf32>) -> (tensor<2x20x64xf32>, tensor<1x35x64xf32>) {
  %a = forge.strided_slice %x dim 0 [0:40] : (tensor<75x64xf32>) -> tensor<40x64xf32>
  %b = forge.strided_slice %x dim 0 [40:75] : (tensor<75x64xf32>) -> tensor<35x64xf32>
  %c = forge.reshape %a shape [2, 20, 64] : (tensor<40x64xf32>) -> tensor<2x20x64xf32>
  %d = forge.reshape %b shape [1, 35, 64] : (tensor<35x64xf32>) -> tensor<1x35x64xf32>
  return %c, %d : tensor<2x20x64xf32>, tensor<1x35x64xf32>
}

// The slice is a small part: transposing the whole would cost more.
// CHECK-LABEL: func.func @small_slice(
// CHECK-NEXT: forge.strided_slice %arg0
// CHECK-NEXT: forge.transpose
func.func @small_slice(%x: tensor<1x28x28x1024xf32>) -> tensor<1x20x28x28xf32> {
  %a = forge.strided_slice %x dim 3 [40:60] : (tensor<1x28x28x1024xf32>) -> tensor<1x28x28x20xf32>
  %c = forge.transpose %a dims 1, 3 : (tensor<1x28x28x20xf32>) -> tensor<1x20x28x28xf32>
  return %c : tensor<1x20x28x28xf32>
}

// Heads of whole tiles keep a slice, a reshape and a transpose each, which the device's compiler recognises.
// CHECK-LABEL: func.func @heads(
// CHECK-NEXT: forge.strided_slice %arg0
// CHECK-NEXT: forge.strided_slice %arg0
func.func @heads(%x: tensor<1x64x256xf32>) -> (tensor<1x64x2x64xf32>, tensor<1x64x2x64xf32>) {
  %a = forge.strided_slice %x dim 2 [0:128] : (tensor<1x64x256xf32>) -> tensor<1x64x128xf32>
  %b = forge.strided_slice %x dim 2 [128:256] : (tensor<1x64x256xf32>) -> tensor<1x64x128xf32>
  %c = forge.reshape %a shape [1, 64, 2, 64] : (tensor<1x64x128xf32>) -> tensor<1x64x2x64xf32>
  %d = forge.reshape %b shape [1, 64, 2, 64] : (tensor<1x64x128xf32>) -> tensor<1x64x2x64xf32>
  return %c, %d : tensor<1x64x2x64xf32>, tensor<1x64x2x64xf32>
}

// The slices are transposed differently.
// CHECK-LABEL: func.func @different(
// CHECK-NEXT: forge.strided_slice %arg0
// CHECK-NEXT: forge.strided_slice %arg0
func.func @different(%x: tensor<1x28x28x116xf32>) -> (tensor<1x58x28x28xf32>, tensor<1x28x58x28xf32>) {
  %a = forge.strided_slice %x dim 3 [0:58] : (tensor<1x28x28x116xf32>) -> tensor<1x28x28x58xf32>
  %b = forge.strided_slice %x dim 3 [58:116] : (tensor<1x28x28x116xf32>) -> tensor<1x28x28x58xf32>
  %c = forge.transpose %a dims 1, 3 : (tensor<1x28x28x58xf32>) -> tensor<1x58x28x28xf32>
  %d = forge.transpose %b dims 2, 3 : (tensor<1x28x28x58xf32>) -> tensor<1x28x58x28xf32>
  return %c, %d : tensor<1x58x28x28xf32>, tensor<1x28x58x28xf32>
}

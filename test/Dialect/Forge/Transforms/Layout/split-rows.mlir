// RUN: forge-opt %s --forge-head-rows --split-input-file | FileCheck %s

// The shift of windows of an image of 14 x 14 pixels exchanges slices along both axes. Each pixel of 384 channels is
// split into 12 rows of 32, so that 14 pixels are 168 rows instead of 14 rows padded to 32.

// CHECK-LABEL: func @shift
// CHECK:         %[[X:.+]] = forge.reshape %{{.+}} shape [1, 14, 168, 32] : (tensor<1x196x384xf32>)
// CHECK:         %[[A:.+]] = forge.index %[[X]] dim -3 [3:14]
// CHECK:         %[[B:.+]] = forge.index %[[X]] dim -3 [0:3]
// CHECK:         %[[C:.+]] = forge.concatenate %[[A]], %[[B]] axis -3
// CHECK:         %[[D:.+]] = forge.index %[[C]] dim -2 [36:168]
// CHECK:         %[[E:.+]] = forge.index %[[C]] dim -2 [0:36]
// CHECK:         %[[F:.+]] = forge.concatenate %[[D]], %[[E]] axis -2
// CHECK:         %[[Y:.+]] = forge.reshape %[[F]] shape [1, 196, 384]
// CHECK:         forge.sigmoid %[[Y]]
func.func @shift(%x: tensor<1x196x384xf32>) -> tensor<1x196x384xf32> {
  %0 = forge.sigmoid %x : tensor<1x196x384xf32>
  %1 = forge.reshape %0 shape [1, 14, 14, 384] : (tensor<1x196x384xf32>) -> tensor<1x14x14x384xf32>
  %2 = forge.index %1 dim -3 [3:14] : (tensor<1x14x14x384xf32>) -> tensor<1x11x14x384xf32>
  %3 = forge.index %1 dim -3 [0:3] : (tensor<1x14x14x384xf32>) -> tensor<1x3x14x384xf32>
  %4 = forge.concatenate %2, %3 axis -3 : (tensor<1x11x14x384xf32>, tensor<1x3x14x384xf32>) -> tensor<1x14x14x384xf32>
  %5 = forge.index %4 dim -2 [3:14] : (tensor<1x14x14x384xf32>) -> tensor<1x14x11x384xf32>
  %6 = forge.index %4 dim -2 [0:3] : (tensor<1x14x14x384xf32>) -> tensor<1x14x3x384xf32>
  %7 = forge.concatenate %5, %6 axis -2 : (tensor<1x14x11x384xf32>, tensor<1x14x3x384xf32>) -> tensor<1x14x14x384xf32>
  %8 = forge.reshape %7 shape [1, 196, 384] : (tensor<1x14x14x384xf32>) -> tensor<1x196x384xf32>
  %9 = forge.sigmoid %8 : tensor<1x196x384xf32>
  return %9 : tensor<1x196x384xf32>
}

// -----

// Unchanged: with another user of the image before or after the shift, a second reshape would be one more kernel; and
// so would the first reshape, if the program has none there.

// CHECK-LABEL: func @other_user_before
// CHECK:         forge.index %{{.+}} dim -2 [3:14] : (tensor<14x14x384xf32>)
func.func @other_user_before(%x: tensor<196x384xf32>) -> (tensor<196x384xf32>, tensor<14x14x384xf32>) {
  %0 = forge.sigmoid %x : tensor<196x384xf32>
  %1 = forge.reshape %0 shape [14, 14, 384] : (tensor<196x384xf32>) -> tensor<14x14x384xf32>
  %5 = forge.index %1 dim -2 [3:14] : (tensor<14x14x384xf32>) -> tensor<14x11x384xf32>
  %6 = forge.index %1 dim -2 [0:3] : (tensor<14x14x384xf32>) -> tensor<14x3x384xf32>
  %7 = forge.concatenate %5, %6 axis -2 : (tensor<14x11x384xf32>, tensor<14x3x384xf32>) -> tensor<14x14x384xf32>
  %8 = forge.reshape %7 shape [196, 384] : (tensor<14x14x384xf32>) -> tensor<196x384xf32>
  return %8, %1 : tensor<196x384xf32>, tensor<14x14x384xf32>
}

// CHECK-LABEL: func @other_user_after
// CHECK:         forge.index %{{.+}} dim -2 [3:14] : (tensor<1x14x14x384xf32>)
func.func @other_user_after(%x: tensor<1x196x384xf32>) -> tensor<1x14x14x384xf32> {
  %0 = forge.sigmoid %x : tensor<1x196x384xf32>
  %1 = forge.reshape %0 shape [1, 14, 14, 384] : (tensor<1x196x384xf32>) -> tensor<1x14x14x384xf32>
  %5 = forge.index %1 dim -2 [3:14] : (tensor<1x14x14x384xf32>) -> tensor<1x14x11x384xf32>
  %6 = forge.index %1 dim -2 [0:3] : (tensor<1x14x14x384xf32>) -> tensor<1x14x3x384xf32>
  %7 = forge.concatenate %5, %6 axis -2 : (tensor<1x14x11x384xf32>, tensor<1x14x3x384xf32>) -> tensor<1x14x14x384xf32>
  return %7 : tensor<1x14x14x384xf32>
}

// CHECK-LABEL: func @no_reshape
// CHECK:         forge.index %{{.+}} dim -2 [3:14] : (tensor<1x14x14x384xf32>)
func.func @no_reshape(%x: tensor<1x14x14x384xf32>) -> tensor<1x196x384xf32> {
  %1 = forge.sigmoid %x : tensor<1x14x14x384xf32>
  %5 = forge.index %1 dim -2 [3:14] : (tensor<1x14x14x384xf32>) -> tensor<1x14x11x384xf32>
  %6 = forge.index %1 dim -2 [0:3] : (tensor<1x14x14x384xf32>) -> tensor<1x14x3x384xf32>
  %7 = forge.concatenate %5, %6 axis -2 : (tensor<1x14x11x384xf32>, tensor<1x14x3x384xf32>) -> tensor<1x14x14x384xf32>
  %8 = forge.reshape %7 shape [1, 196, 384] : (tensor<1x14x14x384xf32>) -> tensor<1x196x384xf32>
  return %8 : tensor<1x196x384xf32>
}

// -----

// With a step, the parts of a pixel would not stay adjacent.

// CHECK-LABEL: func @step
// CHECK:         forge.index %{{.+}} dim -2 [0:14:2] : (tensor<14x14x384xf32>)
func.func @step(%x: tensor<196x384xf32>) -> tensor<98x384xf32> {
  %0 = forge.sigmoid %x : tensor<196x384xf32>
  %1 = forge.reshape %0 shape [14, 14, 384] : (tensor<196x384xf32>) -> tensor<14x14x384xf32>
  %5 = forge.index %1 dim -2 [0:14:2] : (tensor<14x14x384xf32>) -> tensor<14x7x384xf32>
  %8 = forge.reshape %5 shape [98, 384] : (tensor<14x7x384xf32>) -> tensor<98x384xf32>
  return %8 : tensor<98x384xf32>
}

// -----

// Unchanged: slices of the trailing axis, slices after a transpose, which the device's compiler moves, whole tiles, and
// an input.

// CHECK-LABEL: func @columns
// CHECK:         forge.index %{{.+}} dim -1 [3:14] : (tensor<384x14x14xf32>)
func.func @columns(%x: tensor<384x196xf32>) -> tensor<384x154xf32> {
  %0 = forge.sigmoid %x : tensor<384x196xf32>
  %1 = forge.reshape %0 shape [384, 14, 14] : (tensor<384x196xf32>) -> tensor<384x14x14xf32>
  %5 = forge.index %1 dim -1 [3:14] : (tensor<384x14x14xf32>) -> tensor<384x14x11xf32>
  %8 = forge.reshape %5 shape [384, 154] : (tensor<384x14x11xf32>) -> tensor<384x154xf32>
  return %8 : tensor<384x154xf32>
}

// CHECK-LABEL: func @transposed
// CHECK:         forge.index %{{.+}} dim -2 [3:14] : (tensor<14x14x384xf32>)
func.func @transposed(%x: tensor<14x14x384xf32>) -> tensor<154x384xf32> {
  %0 = forge.sigmoid %x : tensor<14x14x384xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<14x14x384xf32>) -> tensor<14x14x384xf32>
  %5 = forge.index %1 dim -2 [3:14] : (tensor<14x14x384xf32>) -> tensor<14x11x384xf32>
  %8 = forge.reshape %5 shape [154, 384] : (tensor<14x11x384xf32>) -> tensor<154x384xf32>
  return %8 : tensor<154x384xf32>
}

// CHECK-LABEL: func @whole_tiles
// CHECK:         forge.index %{{.+}} dim -2 [32:64] : (tensor<14x64x384xf32>)
func.func @whole_tiles(%x: tensor<896x384xf32>) -> tensor<448x384xf32> {
  %0 = forge.sigmoid %x : tensor<896x384xf32>
  %1 = forge.reshape %0 shape [14, 64, 384] : (tensor<896x384xf32>) -> tensor<14x64x384xf32>
  %5 = forge.index %1 dim -2 [32:64] : (tensor<14x64x384xf32>) -> tensor<14x32x384xf32>
  %8 = forge.reshape %5 shape [448, 384] : (tensor<14x32x384xf32>) -> tensor<448x384xf32>
  return %8 : tensor<448x384xf32>
}

// -----

// CHECK-LABEL: func @argument
// CHECK:         forge.index %arg0 dim -2 [3:14]
func.func @argument(%x: tensor<14x14x384xf32>) -> tensor<154x384xf32> {
  %5 = forge.index %x dim -2 [3:14] : (tensor<14x14x384xf32>) -> tensor<14x11x384xf32>
  %8 = forge.reshape %5 shape [154, 384] : (tensor<14x11x384xf32>) -> tensor<154x384xf32>
  return %8 : tensor<154x384xf32>
}

// -----

// Empty rows are not split: forge.reshape does not accept them.
// CHECK-LABEL: func @empty
// CHECK-NOT:     forge.reshape
func.func @empty(%x: tensor<0x14x64xf32>) -> tensor<0x8x64xf32> {
  %0 = forge.relu %x : tensor<0x14x64xf32>
  %1 = forge.index %0 dim 1 [0:4] : (tensor<0x14x64xf32>) -> tensor<0x4x64xf32>
  %2 = forge.index %0 dim 1 [6:10] : (tensor<0x14x64xf32>) -> tensor<0x4x64xf32>
  %3 = forge.concatenate %1, %2 axis 1 : (tensor<0x4x64xf32>, tensor<0x4x64xf32>) -> tensor<0x8x64xf32>
  return %3 : tensor<0x8x64xf32>
}

// -----

// Embeddings that are stacked become columns: each [64, 1, 32] would be padded to 32 rows. The reshapes before the
// stack are dropped, and a user that is a reshape reads the columns.

// CHECK-LABEL: func @stack
// CHECK:         %[[A:.+]] = forge.sigmoid %arg0
// CHECK:         %[[B:.+]] = forge.sigmoid %arg1
// CHECK-NEXT:    %[[C:.+]] = forge.concatenate %[[A]], %[[B]], %[[A]] axis -1 : {{.*}} -> tensor<64x96xf32>
// CHECK-NEXT:    %[[S:.+]] = forge.reshape %[[C]] shape [64, 3, 32]
// CHECK:         forge.sigmoid %[[S]]
// CHECK-NOT:     forge.reshape
// CHECK:         forge.relu %[[C]]
func.func @stack(%x: tensor<64x32xf32>, %y: tensor<64x32xf32>) -> (tensor<64x3x32xf32>, tensor<64x96xf32>) {
  %0 = forge.sigmoid %x : tensor<64x32xf32>
  %1 = forge.sigmoid %y : tensor<64x32xf32>
  %2 = forge.reshape %0 shape [64, 1, 32] : (tensor<64x32xf32>) -> tensor<64x1x32xf32>
  %3 = forge.reshape %1 shape [64, 1, 32] : (tensor<64x32xf32>) -> tensor<64x1x32xf32>
  %4 = forge.concatenate %2, %3, %2 axis -2 : (tensor<64x1x32xf32>, tensor<64x1x32xf32>, tensor<64x1x32xf32>) -> tensor<64x3x32xf32>
  %5 = forge.sigmoid %4 : tensor<64x3x32xf32>
  %6 = forge.reshape %4 shape [64, 96] : (tensor<64x3x32xf32>) -> tensor<64x96xf32>
  %7 = forge.relu %6 : tensor<64x96xf32>
  return %5, %7 : tensor<64x3x32xf32>, tensor<64x96xf32>
}

// -----

// Sequences are concatenated as rows: as columns, each would be one row.

// CHECK-LABEL: func @sequences
// CHECK:         forge.concatenate %{{.+}}, %{{.+}} axis -2 : (tensor<1x32x64xf32>, tensor<1x64x64xf32>)
func.func @sequences(%x: tensor<1x32x64xf32>, %y: tensor<1x64x64xf32>) -> tensor<1x96x64xf32> {
  %0 = forge.sigmoid %x : tensor<1x32x64xf32>
  %1 = forge.sigmoid %y : tensor<1x64x64xf32>
  %2 = forge.concatenate %0, %1 axis -2 : (tensor<1x32x64xf32>, tensor<1x64x64xf32>) -> tensor<1x96x64xf32>
  %3 = forge.sigmoid %2 : tensor<1x96x64xf32>
  return %3 : tensor<1x96x64xf32>
}

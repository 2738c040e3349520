// RUN: forge-opt %s --forge-head-rows --split-input-file | FileCheck %s

// From an image to windows: the transpose moves blocks of 7 pixels of 96 channels. As a [21, 32] matrix such a block
// takes one tile, as [7, 96] three.

// CHECK-LABEL: func @windows
// CHECK:         %[[X:.+]] = forge.sigmoid
// CHECK:         %[[A:.+]] = forge.reshape %[[X]] shape [8, 7, 8, 21, 32]
// CHECK:         %[[T:.+]] = forge.transpose %[[A]] dims -4, -3
// CHECK:         %[[W:.+]] = forge.reshape %[[T]] shape [64, 49, 96]
// CHECK:         forge.sigmoid %[[W]]
func.func @windows(%x: tensor<1x3136x96xf32>) -> tensor<64x49x96xf32> {
  %0 = forge.sigmoid %x : tensor<1x3136x96xf32>
  %1 = forge.reshape %0 shape [1, 8, 7, 8, 7, 96] : (tensor<1x3136x96xf32>) -> tensor<1x8x7x8x7x96xf32>
  %2 = forge.transpose %1 dims -4, -3 : (tensor<1x8x7x8x7x96xf32>) -> tensor<1x8x8x7x7x96xf32>
  %3 = forge.reshape %2 shape [64, 49, 96] : (tensor<1x8x8x7x7x96xf32>) -> tensor<64x49x96xf32>
  %4 = forge.sigmoid %3 : tensor<64x49x96xf32>
  return %4 : tensor<64x49x96xf32>
}

// -----

// From windows to an image with a batch, which remains part of the first axis. The windows and the image have other
// users.

// CHECK-LABEL: func @image_of_windows
// CHECK:         %[[W:.+]] = forge.sigmoid
// CHECK:         %[[A:.+]] = forge.reshape %[[W]] shape [4, 2, 7, 28, 96]
// CHECK:         %[[T:.+]] = forge.transpose %[[A]] dims -4, -3
// CHECK:         %[[X:.+]] = forge.reshape %[[T]] shape [2, 196, 384]
// CHECK:         return %[[W]], %{{.+}}
func.func @image_of_windows(%w: tensor<8x49x384xf32>) -> (tensor<8x49x384xf32>, tensor<2x196x384xf32>) {
  %0 = forge.sigmoid %w : tensor<8x49x384xf32>
  %1 = forge.reshape %0 shape [2, 2, 2, 7, 7, 384] : (tensor<8x49x384xf32>) -> tensor<2x2x2x7x7x384xf32>
  %2 = forge.transpose %1 dims -4, -3 : (tensor<2x2x2x7x7x384xf32>) -> tensor<2x2x7x2x7x384xf32>
  %3 = forge.reshape %2 shape [2, 196, 384] : (tensor<2x2x7x2x7x384xf32>) -> tensor<2x196x384xf32>
  %4 = forge.add %3, %3 : (tensor<2x196x384xf32>, tensor<2x196x384xf32>) -> tensor<2x196x384xf32>
  %5 = forge.multiply %3, %4 : (tensor<2x196x384xf32>, tensor<2x196x384xf32>) -> tensor<2x196x384xf32>
  return %0, %5 : tensor<8x49x384xf32>, tensor<2x196x384xf32>
}

// -----

// Axes that are moved together count as one; the others are exchanged one by one.

// CHECK-LABEL: func @three_axes
// CHECK:         forge.reshape %{{.+}} shape [48, 20, 672]
// CHECK-NEXT:    forge.transpose %{{.+}} dims -3, -2
// CHECK-NEXT:    forge.reshape %{{.+}} shape [960, 672]
func.func @three_axes(%x: tensor<960x672xf32>) -> tensor<960x672xf32> {
  %0 = forge.sigmoid %x : tensor<960x672xf32>
  %1 = forge.reshape %0 shape [8, 6, 20, 7, 96] : (tensor<960x672xf32>) -> tensor<8x6x20x7x96xf32>
  %2 = forge.transpose %1 dims -4, -3 : (tensor<8x6x20x7x96xf32>) -> tensor<8x20x6x7x96xf32>
  %3 = forge.transpose %2 dims -5, -4 : (tensor<8x20x6x7x96xf32>) -> tensor<20x8x6x7x96xf32>
  %4 = forge.reshape %3 shape [960, 672] : (tensor<20x8x6x7x96xf32>) -> tensor<960x672xf32>
  %5 = forge.sigmoid %4 : tensor<960x672xf32>
  return %5 : tensor<960x672xf32>
}

// CHECK-LABEL: func @reversed_axes
// CHECK:         forge.reshape %{{.+}} shape [8, 6, 20, 21, 32]
// CHECK-NEXT:    forge.transpose %{{.+}} dims -5, -3
// CHECK-NEXT:    forge.reshape %{{.+}} shape [960, 672]
func.func @reversed_axes(%x: tensor<960x672xf32>) -> tensor<960x672xf32> {
  %0 = forge.sigmoid %x : tensor<960x672xf32>
  %1 = forge.reshape %0 shape [8, 6, 20, 7, 96] : (tensor<960x672xf32>) -> tensor<8x6x20x7x96xf32>
  %2 = forge.transpose %1 dims -5, -3 : (tensor<8x6x20x7x96xf32>) -> tensor<20x6x8x7x96xf32>
  %3 = forge.reshape %2 shape [960, 672] : (tensor<20x6x8x7x96xf32>) -> tensor<960x672xf32>
  %4 = forge.sigmoid %3 : tensor<960x672xf32>
  return %4 : tensor<960x672xf32>
}

// -----

// Only a part of the chain moves blocks: the transposes at its ends stay.

// CHECK-LABEL: func @part_of_a_chain
// CHECK:         forge.transpose %{{.+}} dims -2, -1 : (tensor<1x784x240xf32>) -> tensor<1x240x784xf32>
// CHECK-NEXT:    forge.reshape %{{.+}} shape [3, 80, 28, 28]
// CHECK-NEXT:    forge.transpose %{{.+}} dims -4, -3
// CHECK-NEXT:    forge.reshape %{{.+}} shape [1, 240, 784]
// CHECK-NEXT:    forge.transpose %{{.+}} dims -2, -1 : (tensor<1x240x784xf32>) -> tensor<1x784x240xf32>
func.func @part_of_a_chain(%x: tensor<1x784x240xf32>) -> tensor<1x784x240xf32> {
  %0 = forge.sigmoid %x : tensor<1x784x240xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x784x240xf32>) -> tensor<1x240x784xf32>
  %2 = forge.reshape %1 shape [1, 3, 80, 784] : (tensor<1x240x784xf32>) -> tensor<1x3x80x784xf32>
  %3 = forge.transpose %2 dims -3, -2 : (tensor<1x3x80x784xf32>) -> tensor<1x80x3x784xf32>
  %4 = forge.reshape %3 shape [1, 240, 784] : (tensor<1x80x3x784xf32>) -> tensor<1x240x784xf32>
  %5 = forge.transpose %4 dims -2, -1 : (tensor<1x240x784xf32>) -> tensor<1x784x240xf32>
  %6 = forge.sigmoid %5 : tensor<1x784x240xf32>
  return %6 : tensor<1x784x240xf32>
}

// -----

// Unchanged: blocks that are whole tiles already, and blocks for which two reshapes would cost more than the tile
// padding.

// CHECK-LABEL: func @whole_tiles
// CHECK-NEXT:    %[[X:.+]] = forge.sigmoid
// CHECK-NEXT:    %[[T:.+]] = forge.transpose %[[X]] dims -4, -3
// CHECK-NEXT:    return %[[T]]
func.func @whole_tiles(%x: tensor<5x6x64x96xf32>) -> tensor<6x5x64x96xf32> {
  %0 = forge.sigmoid %x : tensor<5x6x64x96xf32>
  %1 = forge.transpose %0 dims -4, -3 : (tensor<5x6x64x96xf32>) -> tensor<6x5x64x96xf32>
  return %1 : tensor<6x5x64x96xf32>
}

// -----

// CHECK-LABEL: func @cheap_padding
// CHECK-NEXT:    %[[X:.+]] = forge.sigmoid
// CHECK-NEXT:    %[[T:.+]] = forge.transpose %[[X]] dims -4, -3
// CHECK-NEXT:    return %[[T]]
func.func @cheap_padding(%x: tensor<2x3x7x96xf32>) -> tensor<3x2x7x96xf32> {
  %0 = forge.sigmoid %x : tensor<2x3x7x96xf32>
  %1 = forge.transpose %0 dims -4, -3 : (tensor<2x3x7x96xf32>) -> tensor<3x2x7x96xf32>
  return %1 : tensor<3x2x7x96xf32>
}

// -----

// The trailing axis is transposed, so that no elements stay adjacent.

// CHECK-LABEL: func @trailing_axis
// CHECK:         forge.reshape %{{.+}} shape [1, 8, 7, 8, 7, 96]
// CHECK-NEXT:    forge.transpose %{{.+}} dims -5, -1
func.func @trailing_axis(%x: tensor<1x3136x96xf32>) -> tensor<1x96x7x8x7x8xf32> {
  %0 = forge.sigmoid %x : tensor<1x3136x96xf32>
  %1 = forge.reshape %0 shape [1, 8, 7, 8, 7, 96] : (tensor<1x3136x96xf32>) -> tensor<1x8x7x8x7x96xf32>
  %2 = forge.transpose %1 dims -5, -1 : (tensor<1x8x7x8x7x96xf32>) -> tensor<1x96x7x8x7x8xf32>
  return %2 : tensor<1x96x7x8x7x8xf32>
}

// -----

// The first reshape has another user and stays; the windows are computed from its source.

// CHECK-LABEL: func @intermediate_with_another_user
// CHECK:         %[[X:.+]] = forge.sigmoid
// CHECK:         %[[R:.+]] = forge.reshape %[[X]] shape [8, 7, 8, 7, 96]
// CHECK:         %[[A:.+]] = forge.reshape %[[X]] shape [8, 7, 8, 21, 32]
// CHECK:         %[[T:.+]] = forge.transpose %[[A]] dims -4, -3
// CHECK:         %[[W:.+]] = forge.reshape %[[T]] shape [64, 49, 96]
// CHECK:         return %[[R]], %[[W]]
func.func @intermediate_with_another_user(%x: tensor<1x3136x96xf32>) -> (tensor<8x7x8x7x96xf32>, tensor<64x49x96xf32>) {
  %0 = forge.sigmoid %x : tensor<1x3136x96xf32>
  %1 = forge.reshape %0 shape [8, 7, 8, 7, 96] : (tensor<1x3136x96xf32>) -> tensor<8x7x8x7x96xf32>
  %2 = forge.transpose %1 dims -4, -3 : (tensor<8x7x8x7x96xf32>) -> tensor<8x8x7x7x96xf32>
  %3 = forge.reshape %2 shape [64, 49, 96] : (tensor<8x8x7x7x96xf32>) -> tensor<64x49x96xf32>
  return %1, %3 : tensor<8x7x8x7x96xf32>, tensor<64x49x96xf32>
}

// -----

// The chain starts at an input: no reshape of it stays before the new one.

// CHECK-LABEL: func @argument
// CHECK-NEXT:    %[[A:.+]] = forge.reshape %arg0 shape [8, 7, 8, 21, 32]
// CHECK-NEXT:    %[[T:.+]] = forge.transpose %[[A]] dims -4, -3
// CHECK-NEXT:    %[[W:.+]] = forge.reshape %[[T]] shape [64, 49, 96]
// CHECK-NEXT:    forge.sigmoid %[[W]]
func.func @argument(%x: tensor<1x3136x96xf32>) -> tensor<64x49x96xf32> {
  %1 = forge.reshape %x shape [8, 7, 8, 7, 96] : (tensor<1x3136x96xf32>) -> tensor<8x7x8x7x96xf32>
  %2 = forge.transpose %1 dims -4, -3 : (tensor<8x7x8x7x96xf32>) -> tensor<8x8x7x7x96xf32>
  %3 = forge.reshape %2 shape [64, 49, 96] : (tensor<8x8x7x7x96xf32>) -> tensor<64x49x96xf32>
  %4 = forge.sigmoid %3 : tensor<64x49x96xf32>
  return %4 : tensor<64x49x96xf32>
}

// -----

// Pixels of an image become the pixels of 2 x 2 patches, as in MobileViT. The steps have two axes more than the tensors
// of the chain.

// CHECK-LABEL: func @six_axes
// CHECK:         forge.reshape %{{.+}} shape [16, 2, 16, 2, 6, 24] : (tensor<1x1024x144xf32>)
// CHECK-NEXT:    forge.transpose
// CHECK-NEXT:    forge.transpose
// CHECK-NEXT:    %[[T:.+]] = forge.transpose {{.*}}tensor<2x2x16x16x6x24xf32>
// CHECK-NEXT:    forge.reshape %[[T]] shape [4, 256, 144]
func.func @six_axes(%x: tensor<1x1024x144xf32>) -> tensor<4x256x144xf32> {
  %0 = forge.sigmoid %x : tensor<1x1024x144xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x1024x144xf32>) -> tensor<1x144x1024xf32>
  %2 = forge.reshape %1 shape [2304, 2, 16, 2] : (tensor<1x144x1024xf32>) -> tensor<2304x2x16x2xf32>
  %3 = forge.transpose %2 dims -3, -2 : (tensor<2304x2x16x2xf32>) -> tensor<2304x16x2x2xf32>
  %4 = forge.reshape %3 shape [144, 256, 4] : (tensor<2304x16x2x2xf32>) -> tensor<144x256x4xf32>
  %5 = forge.transpose %4 dims -3, -1 : (tensor<144x256x4xf32>) -> tensor<4x256x144xf32>
  %6 = forge.sigmoid %5 : tensor<4x256x144xf32>
  return %6 : tensor<4x256x144xf32>
}

// -----

// An axis of size 1 of the result is kept from the start: no reshape has to insert it.

// CHECK-LABEL: func @axis_of_size_one
// CHECK:         %[[A:.+]] = forge.reshape %{{.+}} shape [1, 48, 20, 64]
// CHECK-NEXT:    %[[T:.+]] = forge.transpose %[[A]] dims -3, -2
// CHECK-NEXT:    forge.sigmoid %[[T]]
func.func @axis_of_size_one(%x: tensor<960x64xf32>) -> tensor<1x20x48x64xf32> {
  %0 = forge.sigmoid %x : tensor<960x64xf32>
  %1 = forge.reshape %0 shape [48, 20, 1, 64] : (tensor<960x64xf32>) -> tensor<48x20x1x64xf32>
  %2 = forge.transpose %1 dims -4, -3 : (tensor<48x20x1x64xf32>) -> tensor<20x48x1x64xf32>
  %3 = forge.reshape %2 shape [1, 20, 48, 64] : (tensor<20x48x1x64xf32>) -> tensor<1x20x48x64xf32>
  %4 = forge.sigmoid %3 : tensor<1x20x48x64xf32>
  return %4 : tensor<1x20x48x64xf32>
}

// RUN: forge-opt %s --forge-pixel-rows --split-input-file | FileCheck %s

// A residual addition between convolutions is computed on flattened pixels, and the mean of the image becomes one mean
// of them. The scale per channel is a weight, which broadcasts to flattened pixels as to images.
// CHECK-LABEL: func.func @residual(
//   CHECK-DAG: %[[C:.+]] = forge.conv2d %arg0
//   CHECK-DAG: %[[R:.+]] = forge.reshape %[[C]] shape [1, 1, 49, 8] : (tensor<1x7x7x8xf32>) -> tensor<1x1x49x8xf32>
//   CHECK-DAG: %[[Y:.+]] = forge.reshape %arg0 shape [1, 1, 49, 8]
//       CHECK: %[[S:.+]] = forge.add %[[R]], %[[Y]] : tensor<1x1x49x8xf32>
//       CHECK: %[[I:.+]] = forge.reshape %[[S]] shape [1, 7, 7, 8]
//       CHECK: %[[D:.+]] = forge.conv2d %[[I]]
//       CHECK: %[[E:.+]] = forge.reshape %[[D]] shape [1, 1, 49, 8]
//       CHECK: %[[T:.+]] = forge.add %[[E]], %[[S]]
//       CHECK: %[[U:.+]] = forge.multiply %[[T]], %{{.+}} : (tensor<1x1x49x8xf32>, tensor<8xf32>)
//       CHECK: %[[J:.+]] = forge.reshape %[[U]] shape [1, 7, 7, 8]
//       CHECK: %[[M:.+]] = forge.reduce_avg %[[U]] dim -2 keep_dim : (tensor<1x1x49x8xf32>) -> tensor<1x1x1x8xf32>
//   CHECK-NOT: forge.reduce_avg
//       CHECK: %[[F:.+]] = forge.conv2d %[[J]]
//       CHECK: return %[[F]], %[[M]]
func.func @residual(%x: tensor<1x7x7x8xf32>) -> (tensor<1x7x7x8xf32>, tensor<1x1x1x8xf32>) {
  %w = forge.parameter "w" : tensor<8x8x3x3xf32>
  %s = forge.parameter "s" : tensor<8xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x7x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x7x7x8xf32>
  %1 = forge.add %0, %x : (tensor<1x7x7x8xf32>, tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x7x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x7x7x8xf32>
  %3 = forge.add %2, %1 : (tensor<1x7x7x8xf32>, tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  %4 = forge.multiply %3, %s : (tensor<1x7x7x8xf32>, tensor<8xf32>) -> tensor<1x7x7x8xf32>
  %5 = forge.reduce_avg %4 dim -2 keep_dim : (tensor<1x7x7x8xf32>) -> tensor<1x7x1x8xf32>
  %6 = forge.reduce_avg %5 dim -3 keep_dim : (tensor<1x7x1x8xf32>) -> tensor<1x1x1x8xf32>
  %7 = forge.conv2d %4, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x7x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x7x7x8xf32>
  return %7, %6 : tensor<1x7x7x8xf32>, tensor<1x1x1x8xf32>
}

// -----

// With a batch, the pixels of each image are flattened separately, so that a gate per image and channel broadcasts to
// them.
// CHECK-LABEL: func.func @gate_per_image(
//       CHECK: %[[R:.+]] = forge.reshape %{{.+}} shape [2, 1, 49, 4]
//       CHECK: %[[S:.+]] = forge.softmax %[[R]] dim -1 : tensor<2x1x49x4xf32>
//       CHECK: %[[P:.+]] = forge.matmul %[[S]], %{{.+}} : (tensor<2x1x49x4xf32>, tensor<4x4xf32>) -> tensor<2x1x49x4xf32>
//       CHECK: %[[G:.+]] = forge.multiply %[[P]], %arg1 : (tensor<2x1x49x4xf32>, tensor<2x1x1x4xf32>)
//       CHECK: %[[J:.+]] = forge.concatenate %[[G]], %[[R]] axis -1 : {{.*}} -> tensor<2x1x49x8xf32>
//       CHECK: %[[I:.+]] = forge.reshape %[[J]] shape [2, 7, 7, 8]
//       CHECK: forge.conv2d %[[I]]
func.func @gate_per_image(%x: tensor<2x7x7x4xf32>, %g: tensor<2x1x1x4xf32>) -> tensor<2x7x7x2xf32> {
  %w = forge.parameter "w" : tensor<4x4x3x3xf32>
  %v = forge.parameter "v" : tensor<2x8x3x3xf32>
  %m = forge.parameter "m" : tensor<4x4xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<2x7x7x4xf32>, tensor<4x4x3x3xf32>) -> tensor<2x7x7x4xf32>
  %1 = forge.softmax %0 dim -1 : tensor<2x7x7x4xf32>
  %2 = forge.matmul %1, %m : (tensor<2x7x7x4xf32>, tensor<4x4xf32>) -> tensor<2x7x7x4xf32>
  %3 = forge.multiply %2, %g : (tensor<2x7x7x4xf32>, tensor<2x1x1x4xf32>) -> tensor<2x7x7x4xf32>
  %4 = forge.concatenate %3, %0 axis -1 : (tensor<2x7x7x4xf32>, tensor<2x7x7x4xf32>) -> tensor<2x7x7x8xf32>
  %5 = forge.conv2d %4, %v stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<2x7x7x8xf32>, tensor<2x8x3x3xf32>) -> tensor<2x7x7x2xf32>
  return %5 : tensor<2x7x7x2xf32>
}

// -----

// Unchanged: ops along an axis of the image, an operand per row of the image, and an elementwise op between two
// convolutions, across which the device's compiler moves reshapes.
// CHECK-LABEL: func.func @unchanged(
//   CHECK-NOT: forge.reshape
//       CHECK: return
func.func @unchanged(%x: tensor<1x7x7x4xf32>, %g: tensor<1x7x1x4xf32>) -> tensor<1x7x7x4xf32> {
  %w = forge.parameter "w" : tensor<4x4x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x7x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x7x7x4xf32>
  %1 = forge.relu %0 : tensor<1x7x7x4xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x7x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x7x7x4xf32>
  %3 = forge.multiply %2, %g : (tensor<1x7x7x4xf32>, tensor<1x7x1x4xf32>) -> tensor<1x7x7x4xf32>
  %4 = forge.softmax %3 dim -2 : tensor<1x7x7x4xf32>
  %5 = forge.concatenate %4, %2 axis -2 : (tensor<1x7x7x4xf32>, tensor<1x7x7x4xf32>) -> tensor<1x7x14x4xf32>
  %6 = forge.conv2d %5, %w stride [1, 2] padding [1, 1, 1, 1] channel_last : (tensor<1x7x14x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x7x7x4xf32>
  return %6 : tensor<1x7x7x4xf32>
}

// A cache write reads the heads of one token as rows: the reshape is moved next to it, so that the ops before it work
// on the shape that the projection has.
// CHECK-LABEL: func.func @write(
// CHECK: %[[H:.+]] = forge.reshape %arg0 shape [1, 1, 4, 64]
// CHECK: %[[M:.+]] = forge.multiply %[[H]], %arg1 :
// CHECK: %[[A:.+]] = forge.add %[[M]], %[[H]] : tensor<1x1x4x64xf32>
// CHECK: %[[R:.+]] = forge.reshape %[[A]] shape [1, 4, 1, 64]
// CHECK: forge.update_cache %arg2, %[[R]]
func.func @write(%x: tensor<1x1x256xf32>, %cos: tensor<1x1x1x64xf32>, %cache: tensor<1x4x32x64xf32>, %at: tensor<1xi32>) -> tensor<1x4x32x64xf32> {
  %0 = forge.reshape %x shape [1, 4, 1, 64] : (tensor<1x1x256xf32>) -> tensor<1x4x1x64xf32>
  %1 = forge.multiply %0, %cos : (tensor<1x4x1x64xf32>, tensor<1x1x1x64xf32>) -> tensor<1x4x1x64xf32>
  %2 = forge.add %1, %0 : tensor<1x4x1x64xf32>
  %3 = forge.update_cache %cache, %2, %at batch_offset 0 : (tensor<1x4x32x64xf32>, tensor<1x4x1x64xf32>, tensor<1xi32>) -> tensor<1x4x32x64xf32>
  return %3 : tensor<1x4x32x64xf32>
}

// Reshapes of the image become reshapes of the flattened pixels, or are removed.
// CHECK-LABEL: func.func @tokens(
// CHECK: %[[A:.+]] = forge.add {{.*}} : tensor<1x1x49x4xf32>
// CHECK-NEXT: %[[T:.+]] = forge.reshape %[[A]] shape [1, 49, 4]
// CHECK-NEXT: %[[R:.+]] = forge.tanh %[[A]] : tensor<1x1x49x4xf32>
// CHECK-NEXT: return %[[T]], %[[R]]
func.func @tokens(%x: tensor<1x7x7x4xf32>) -> (tensor<1x49x4xf32>, tensor<1x1x49x4xf32>) {
  %w = forge.parameter "w" : tensor<4x4x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x7x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x7x7x4xf32>
  %1 = forge.conv2d %0, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x7x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x7x7x4xf32>
  %2 = forge.add %0, %1 : tensor<1x7x7x4xf32>
  %3 = forge.reshape %2 shape [1, 49, 4] : (tensor<1x7x7x4xf32>) -> tensor<1x49x4xf32>
  %4 = forge.reshape %2 shape [1, 1, 49, 4] : (tensor<1x7x7x4xf32>) -> tensor<1x1x49x4xf32>
  %5 = forge.tanh %4 : tensor<1x1x49x4xf32>
  return %3, %5 : tensor<1x49x4xf32>, tensor<1x1x49x4xf32>
}

// -----

// The users of a chain of sums x + x are followed in linear time.
// CHECK-LABEL: func.func @doubled(
// CHECK: forge.add
func.func @doubled(%x: tensor<1x8x8x4xf32>) -> tensor<1x1x64x4xf32> {
  %w = forge.parameter "w" : tensor<4x4x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x8x8x4xf32>
  %1 = forge.add %0, %0 : tensor<1x8x8x4xf32>
  %2 = forge.add %1, %1 : tensor<1x8x8x4xf32>
  %3 = forge.add %2, %2 : tensor<1x8x8x4xf32>
  %4 = forge.add %3, %3 : tensor<1x8x8x4xf32>
  %5 = forge.add %4, %4 : tensor<1x8x8x4xf32>
  %6 = forge.add %5, %5 : tensor<1x8x8x4xf32>
  %7 = forge.add %6, %6 : tensor<1x8x8x4xf32>
  %8 = forge.add %7, %7 : tensor<1x8x8x4xf32>
  %9 = forge.add %8, %8 : tensor<1x8x8x4xf32>
  %10 = forge.add %9, %9 : tensor<1x8x8x4xf32>
  %11 = forge.add %10, %10 : tensor<1x8x8x4xf32>
  %12 = forge.add %11, %11 : tensor<1x8x8x4xf32>
  %13 = forge.add %12, %12 : tensor<1x8x8x4xf32>
  %14 = forge.add %13, %13 : tensor<1x8x8x4xf32>
  %15 = forge.add %14, %14 : tensor<1x8x8x4xf32>
  %16 = forge.add %15, %15 : tensor<1x8x8x4xf32>
  %17 = forge.add %16, %16 : tensor<1x8x8x4xf32>
  %18 = forge.add %17, %17 : tensor<1x8x8x4xf32>
  %19 = forge.add %18, %18 : tensor<1x8x8x4xf32>
  %20 = forge.add %19, %19 : tensor<1x8x8x4xf32>
  %21 = forge.add %20, %20 : tensor<1x8x8x4xf32>
  %22 = forge.add %21, %21 : tensor<1x8x8x4xf32>
  %23 = forge.add %22, %22 : tensor<1x8x8x4xf32>
  %24 = forge.add %23, %23 : tensor<1x8x8x4xf32>
  %25 = forge.add %24, %24 : tensor<1x8x8x4xf32>
  %26 = forge.add %25, %25 : tensor<1x8x8x4xf32>
  %27 = forge.add %26, %26 : tensor<1x8x8x4xf32>
  %28 = forge.add %27, %27 : tensor<1x8x8x4xf32>
  %29 = forge.add %28, %28 : tensor<1x8x8x4xf32>
  %30 = forge.add %29, %29 : tensor<1x8x8x4xf32>
  %31 = forge.add %30, %30 : tensor<1x8x8x4xf32>
  %r = forge.reshape %31 shape [1, 1, 64, 4] : (tensor<1x8x8x4xf32>) -> tensor<1x1x64x4xf32>
  return %r : tensor<1x1x64x4xf32>
}

// -----

// Unchanged: no time is saved by dead ops, which are erased anyway.
// CHECK-LABEL: func.func @dead_user(
//   CHECK-NOT: forge.reshape
//       CHECK: return
func.func @dead_user(%x: tensor<1x4x5x4xf32>) -> tensor<1x4x5x2xf32> {
  %t = forge.parameter "t" : tensor<1x1x5x4xf32>
  %0 = forge.index %x dim -1 [2:4] : (tensor<1x4x5x4xf32>) -> tensor<1x4x5x2xf32>
  %1 = forge.index %x dim -1 [0:2] : (tensor<1x4x5x4xf32>) -> tensor<1x4x5x2xf32>
  %2 = forge.concatenate %0, %1 axis -1 : (tensor<1x4x5x2xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x4xf32>
  %3 = forge.multiply %2, %t : (tensor<1x4x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<1x4x5x4xf32>
  return %0 : tensor<1x4x5x2xf32>
}

// -----

// An operand without channels is not reshaped to rows, because forge.reshape accepts no empty value.
// CHECK-LABEL: func.func @no_channels(
//   CHECK-NOT: forge.reshape %arg0
//       CHECK: forge.matmul %arg0, %{{.+}} -> tensor<1x4x3x4xf32>
func.func @no_channels(%x: tensor<1x4x3x0xf32>) -> tensor<1x4x3x6xf32> {
  %u = forge.parameter "u" : tensor<0x4xf32>
  %w = forge.parameter "w" : tensor<6x4x1x1xf32>
  %0 = forge.matmul %x, %u : (tensor<1x4x3x0xf32>, tensor<0x4xf32>) -> tensor<1x4x3x4xf32>
  %1 = forge.multiply %0, %0 : tensor<1x4x3x4xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x4x3x4xf32>, tensor<6x4x1x1xf32>) -> tensor<1x4x3x6xf32>
  %3 = forge.add %2, %2 : tensor<1x4x3x6xf32>
  return %3 : tensor<1x4x3x6xf32>
}

// -----

// A chain that is not next to a convolution: as an image, each row of 26 columns would be padded to a tile.

// CHECK-LABEL: func @outer_product
// CHECK:         %[[X:.+]] = forge.reshape %arg0 shape [1024, 1, 64, 1]
// CHECK:         %[[P:.+]] = forge.multiply %[[X]], %arg1 : (tensor<1024x1x64x1xf32>, tensor<1024x1x1x26xf32>)
// CHECK:         forge.reshape %[[P]] shape [64, 16, 1664]
func.func @outer_product(%x: tensor<1024x64x1x1xf32>, %y: tensor<1024x1x1x26xf32>) -> tensor<64x16x1664xf32> {
  %0 = forge.multiply %x, %y : (tensor<1024x64x1x1xf32>, tensor<1024x1x1x26xf32>) -> tensor<1024x64x1x26xf32>
  %1 = forge.reshape %0 shape [64, 16, 1664] : (tensor<1024x64x1x26xf32>) -> tensor<64x16x1664xf32>
  return %1 : tensor<64x16x1664xf32>
}

// -----

// The device does not compute the ReLU after a transposed convolution on rows by itself.

// CHECK-LABEL: func @transposed_convolution
// CHECK:         %[[C:.+]] = forge.conv2d_transpose
// CHECK:         %[[P:.+]] = forge.reshape %[[C]] shape [1, 1, 4096, 32]
// CHECK:         %[[R:.+]] = forge.relu %[[P]]
// CHECK:         %[[I:.+]] = forge.reshape %[[R]] shape [1, 64, 64, 32]
// CHECK:         forge.conv2d %[[I]]
func.func @transposed_convolution(%x: tensor<1x32x32x64xf32>) -> tensor<1x64x64x8xf32> {
  %w = forge.parameter "w" : tensor<64x32x2x2xf32>
  %v = forge.parameter "v" : tensor<8x32x3x3xf32>
  %0 = forge.conv2d_transpose %x, %w stride [2, 2] padding [0, 0] channel_last : (tensor<1x32x32x64xf32>, tensor<64x32x2x2xf32>) -> tensor<1x64x64x32xf32>
  %1 = forge.relu %0 : tensor<1x64x64x32xf32>
  %2 = forge.conv2d %1, %v stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x64x64x32xf32>, tensor<8x32x3x3xf32>) -> tensor<1x64x64x8xf32>
  return %2 : tensor<1x64x64x8xf32>
}

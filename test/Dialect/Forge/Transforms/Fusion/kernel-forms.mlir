// RUN: forge-opt %s --forge-kernel-forms | FileCheck %s
// RUN: forge-opt %s --forge-kernel-forms=keep-padding | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: func.func @pixels(
//      CHECK: %[[R:.+]] = forge.reshape %{{.+}} shape [6, 4]
//      CHECK: %[[W:.+]] = forge.transpose %[[R]] dims -2, -1
//      CHECK: %[[Y:.+]] = forge.matmul %arg0, %[[W]], %{{.+}} : (tensor<1x8x8x4xf32>, tensor<4x6xf32>, tensor<6xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @pixels(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x6xf32> {
  %w = forge.parameter "w" : tensor<6x4x1x1xf32>
  %b = forge.parameter "b" : tensor<6xf32>
  %0 = forge.conv2d %x, %w, %b stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>, tensor<6x4x1x1xf32>, tensor<6xf32>) -> tensor<1x8x8x6xf32>
  return %0 : tensor<1x8x8x6xf32>
}

// Every second pixel is no product of the whole.
// CHECK-LABEL: func.func @strided_pixels(
//   CHECK-NOT: forge.matmul
func.func @strided_pixels(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x6xf32> {
  %w = forge.parameter "w" : tensor<6x4x1x1xf32>
  %0 = forge.conv2d %x, %w stride [2, 2] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>, tensor<6x4x1x1xf32>) -> tensor<1x4x4x6xf32>
  return %0 : tensor<1x4x4x6xf32>
}

// A splat that a weight scales is computed with the weights.
// CHECK-LABEL: func.func @pixels_of_scaled_splat(
//       CHECK: forge.matmul %arg0, %{{.+}} : (tensor<1x8x8x4xf32>, tensor<4x6xf32>)
func.func @pixels_of_scaled_splat(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x6xf32> {
  %w = forge.constant dense<2.0> : tensor<6x4x1x1xf32>
  %s = forge.parameter "s" : tensor<6x1x1x1xf32>
  %v = forge.multiply %w, %s : (tensor<6x4x1x1xf32>, tensor<6x1x1x1xf32>) -> tensor<6x4x1x1xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>, tensor<6x4x1x1xf32>) -> tensor<1x8x8x6xf32>
  return %0 : tensor<1x8x8x6xf32>
}

// A splat is not stored: its transpose would be made in each run, so that it becomes another splat.
// CHECK-LABEL: func.func @pixels_of_splat(
//       CHECK: %[[W:.+]] = forge.constant dense<2.000000e+00> : tensor<4x6xf32>
//       CHECK: forge.matmul %arg0, %[[W]] :
func.func @pixels_of_splat(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x6xf32> {
  %w = forge.constant dense<2.0> : tensor<6x4x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>, tensor<6x4x1x1xf32>) -> tensor<1x8x8x6xf32>
  return %0 : tensor<1x8x8x6xf32>
}

// A ReLU is part of the convolution's kernel, and would be one of its own after a product. It costs more than the
// layout of the operand if the result has more channels.
// CHECK-LABEL: func.func @expanded_pixels_with_relu(
//   CHECK-NOT: forge.matmul
func.func @expanded_pixels_with_relu(%x: tensor<1x32x32x32xf32>) -> tensor<1x32x32x128xf32> {
  %w = forge.parameter "w" : tensor<128x32x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x32x32x32xf32>, tensor<128x32x1x1xf32>) -> tensor<1x32x32x128xf32>
  %1 = forge.relu %0 : tensor<1x32x32x128xf32>
  return %1 : tensor<1x32x32x128xf32>
}

// CHECK-LABEL: func.func @reduced_pixels_with_relu(
//       CHECK: forge.matmul
//       CHECK: forge.relu
func.func @reduced_pixels_with_relu(%x: tensor<1x32x32x128xf32>) -> tensor<1x32x32x32xf32> {
  %w = forge.parameter "w" : tensor<32x128x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x32x32x128xf32>, tensor<32x128x1x1xf32>) -> tensor<1x32x32x32xf32>
  %1 = forge.relu %0 : tensor<1x32x32x32xf32>
  return %1 : tensor<1x32x32x32xf32>
}

// Another convolution reads the operand in the same layout, which is there anyway.
// CHECK-LABEL: func.func @pixels_next_to_window(
//   CHECK-NOT: forge.matmul
func.func @pixels_next_to_window(%x: tensor<1x32x32x128xf32>) -> (tensor<1x32x32x32xf32>, tensor<1x32x32x32xf32>) {
  %w = forge.parameter "w" : tensor<32x128x1x1xf32>
  %v = forge.parameter "v" : tensor<32x128x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x32x32x128xf32>, tensor<32x128x1x1xf32>) -> tensor<1x32x32x32xf32>
  %1 = forge.relu %0 : tensor<1x32x32x32xf32>
  %2 = forge.conv2d %x, %v stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x32x32x128xf32>, tensor<32x128x3x3xf32>) -> tensor<1x32x32x32xf32>
  return %1, %2 : tensor<1x32x32x32xf32>, tensor<1x32x32x32xf32>
}

// CHECK-LABEL: func.func @term(
//      CHECK: forge.matmul %arg0, %{{.+}}, %{{.+}} : (tensor<2x8xf32>, tensor<8x4xf32>, tensor<4xf32>)
//  CHECK-NOT: forge.add
// KEEP-LABEL: func.func @term(
//       KEEP: forge.add
func.func @term(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %b, %0 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// A sum with what is no weight, such as a mask or a residual, comes after the bias.
// CHECK-LABEL: func.func @sums(
//      CHECK: %[[S:.+]] = forge.matmul %arg0, %arg1, %arg2 : (tensor<2x2x8xf32>, tensor<2x8x4xf32>, tensor<1x4xf32>)
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}}, %{{.+}} : (tensor<2x2x8xf32>, tensor<8x4xf32>, tensor<4xf32>)
//      CHECK: %[[R:.+]] = forge.add %[[P]], %[[S]]
//      CHECK: return %[[R]]
// KEEP-LABEL: func.func @sums(
// KEEP-COUNT-3: forge.add
func.func @sums(%x: tensor<2x2x8xf32>, %y: tensor<2x8x4xf32>, %mask: tensor<1x4xf32>) -> tensor<2x2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.matmul %x, %y : (tensor<2x2x8xf32>, tensor<2x8x4xf32>) -> tensor<2x2x4xf32>
  %1 = forge.add %mask, %0 : (tensor<1x4xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  %2 = forge.matmul %x, %w : (tensor<2x2x8xf32>, tensor<8x4xf32>) -> tensor<2x2x4xf32>
  %3 = forge.add %2, %b : (tensor<2x2x4xf32>, tensor<4xf32>) -> tensor<2x2x4xf32>
  %4 = forge.add %3, %1 : tensor<2x2x4xf32>
  return %4 : tensor<2x2x4xf32>
}

// Of weights: computed when they are written.
// CHECK-LABEL: func.func @sum_of_weights(
//      CHECK: %[[P:.+]] = forge.matmul %{{.+}}, %{{.+}} : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
//      CHECK: %[[B:.+]] = forge.add %[[P]], %{{.+}} : tensor<4xf32>
//      CHECK: forge.multiply %arg0, %[[B]]
func.func @sum_of_weights(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %t = forge.parameter "t" : tensor<8xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.matmul %t, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  %1 = forge.add %0, %b : tensor<4xf32>
  %2 = forge.multiply %x, %1 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// The product is needed by itself, or the sum is larger than it.
// CHECK-LABEL: func.func @not_a_term(
// CHECK-COUNT-2: forge.add
func.func @not_a_term(%x: tensor<2x8xf32>, %y: tensor<8x4xf32>, %big: tensor<3x2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x2x4xf32>) {
  %0 = forge.matmul %x, %y : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %0, %0 : tensor<2x4xf32>
  %2 = forge.matmul %x, %y : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %3 = forge.add %2, %big : (tensor<2x4xf32>, tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  return %0, %1, %3 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x2x4xf32>
}

// The device fuses a ReLU into an addition, but not into a product: a residual sum before one stays. A bias with one
// element per column is no kernel.
// CHECK-LABEL: func.func @function_of_sum(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %arg1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
//  CHECK-NEXT: %[[S:.+]] = forge.add %[[P]], %arg2
//  CHECK-NEXT: %[[R:.+]] = forge.relu %[[S]]
//       CHECK: %[[Q:.+]] = forge.matmul %arg0, %arg1, %arg3 : (tensor<2x8xf32>, tensor<8x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
//  CHECK-NEXT: %[[T:.+]] = forge.relu %[[Q]]
//  CHECK-NEXT: return %[[R]], %[[T]]
func.func @function_of_sum(%x: tensor<2x8xf32>, %y: tensor<8x4xf32>, %residual: tensor<2x4xf32>, %row: tensor<1x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = forge.matmul %x, %y : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %0, %residual : tensor<2x4xf32>
  %2 = forge.relu %1 : tensor<2x4xf32>
  %3 = forge.matmul %x, %y : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %4 = forge.add %row, %3 : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %5 = forge.relu %4 : tensor<2x4xf32>
  return %2, %5 : tensor<2x4xf32>, tensor<2x4xf32>
}

// A product of weights is computed when they are written; with the sum it would be computed in each run.
// CHECK-LABEL: func.func @sum_with_weight(
//       CHECK: %[[P:.+]] = forge.matmul %{{.+}}, %{{.+}} : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
//       CHECK: forge.add %[[P]], %arg0
func.func @sum_with_weight(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %t = forge.parameter "t" : tensor<2x8xf32>
  %w = forge.parameter "w" : tensor<8x4xf32>
  %0 = forge.matmul %t, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %0, %x : tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @norm(
//      CHECK: %[[M:.+]] = forge.reduce_avg %arg0 dim -1 keep_dim
//      CHECK: %[[C:.+]] = forge.subtract %arg0, %[[M]]
//      CHECK: %[[S:.+]] = forge.multiply %[[C]], %[[C]]
//      CHECK: %[[COLUMN:.+]] = forge.constant dense<6.250000e-02> : tensor<16x1xf32>
//      CHECK: %[[E:.+]] = forge.matmul %[[S]], %[[COLUMN]], %{{.+}} : (tensor<2x8x16xf32>, tensor<16x1xf32>, tensor<1xf32>) -> tensor<2x8x1xf32>
//      CHECK: %[[D:.+]] = forge.sqrt %[[E]]
//      CHECK: %[[N:.+]] = forge.divide %[[C]], %[[D]]
//      CHECK: %[[G:.+]] = forge.multiply %[[N]], %{{.+}} : (tensor<2x8x16xf32>, tensor<16xf32>)
// CHECK-NEXT: return %[[G]]
// KEEP-LABEL: func.func @norm(
//       KEEP: forge.layernorm
func.func @norm(%x: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %g = forge.parameter "g" : tensor<16xf32>
  %b = forge.constant dense<0.0> : tensor<16xf32>
  %0 = forge.layernorm %x, %g, %b dim -1 epsilon 1.0e-05 : (tensor<2x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x8x16xf32>
  return %0 : tensor<2x8x16xf32>
}

// The layer norm takes scales of more axes than its operand has; a product would keep these axes.
// CHECK-LABEL: func.func @norm_with_scales_of_more_axes(
//       CHECK: forge.multiply %{{.+}} : (tensor<8x16xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
//       CHECK: forge.add %{{.+}} : (tensor<8x16xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
func.func @norm_with_scales_of_more_axes(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %g = forge.parameter "g" : tensor<1x1x16xf32>
  %b = forge.parameter "b" : tensor<1x1x16xf32>
  %0 = forge.layernorm %x, %g, %b dim -1 epsilon 1.0e-05 : (tensor<8x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Its steps would round otherwise.
// CHECK-LABEL: func.func @norm_16(
//       CHECK: forge.layernorm
func.func @norm_16(%x: tensor<2x8x16xf16>) -> tensor<2x8x16xf16> {
  %g = forge.parameter "g" : tensor<16xf16>
  %b = forge.parameter "b" : tensor<16xf16>
  %0 = forge.layernorm %x, %g, %b dim -1 epsilon 1.0e-05 : (tensor<2x8x16xf16>, tensor<16xf16>, tensor<16xf16>) -> tensor<2x8x16xf16>
  return %0 : tensor<2x8x16xf16>
}

// The reciprocal that two products read stays.
// CHECK-LABEL: func.func @quotients(
//      CHECK: forge.divide %arg0, %arg1
//      CHECK: %[[I:.+]] = forge.divide %{{.+}}, %arg1
//      CHECK: forge.multiply %arg0, %[[I]]
//      CHECK: forge.multiply %[[I]], %arg0
func.func @quotients(%x: tensor<2x8xf32>, %y: tensor<2x1xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>) {
  %one = forge.scalar_constant constant 1.0 dtype f32 : tensor<1xf32>
  %0 = forge.divide %one, %y : (tensor<1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %1 = forge.multiply %0, %x : (tensor<2x1xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = forge.divide %one, %y : (tensor<1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  %3 = forge.multiply %x, %2 : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %4 = forge.multiply %2, %x : (tensor<2x1xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %1, %3, %4 : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>
}

// CHECK-LABEL: func.func @mean_of_image(
//  CHECK-NEXT: %[[A:.+]] = forge.avg_pool2d %arg0 kernel_size [3, 5] stride [3, 5] padding [0, 0, 0, 0] count_include_pad channel_last : (tensor<2x3x5x8xf32>) -> tensor<2x1x1x8xf32>
//  CHECK-NEXT: %[[B:.+]] = forge.reduce_avg %arg0 dim -1 keep_dim
//  CHECK-NEXT: %[[C:.+]] = forge.reduce_avg %[[B]] dim 1 keep_dim
//  CHECK-NEXT: return %[[A]], %[[C]]
// KEEP-LABEL: func.func @mean_of_image(
//   KEEP-NOT: forge.avg_pool2d
//       KEEP: return
func.func @mean_of_image(%x: tensor<2x3x5x8xf32>) -> (tensor<2x1x1x8xf32>, tensor<2x1x5x1xf32>) {
  %0 = forge.reduce_avg %x dim -2 keep_dim : (tensor<2x3x5x8xf32>) -> tensor<2x3x1x8xf32>
  %1 = forge.reduce_avg %0 dim -3 keep_dim : (tensor<2x3x1x8xf32>) -> tensor<2x1x1x8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x5x8xf32>) -> tensor<2x3x5x1xf32>
  %3 = forge.reduce_avg %2 dim 1 keep_dim : (tensor<2x3x5x1xf32>) -> tensor<2x1x5x1xf32>
  return %1, %3 : tensor<2x1x1x8xf32>, tensor<2x1x5x1xf32>
}

// CHECK-LABEL: func.func @mean_of_a_sum(
//   CHECK-NOT: forge.avg_pool2d
//       CHECK: return
func.func @mean_of_a_sum(%x: tensor<2x3x5x8xf32>) -> tensor<2x1x1x8xf32> {
  %a = forge.add %x, %x : tensor<2x3x5x8xf32>
  %r = forge.relu %a : tensor<2x3x5x8xf32>
  %0 = forge.reduce_avg %r dim -2 keep_dim : (tensor<2x3x5x8xf32>) -> tensor<2x3x1x8xf32>
  %1 = forge.reduce_avg %0 dim -3 keep_dim : (tensor<2x3x1x8xf32>) -> tensor<2x1x1x8xf32>
  return %1 : tensor<2x1x1x8xf32>
}

// On one pixel the middle of the window is all that meets it; then it is a product of pixels. In a row the outer taps
// above and below go. A window that is larger than the image on both sides keeps what some output meets.
// CHECK-LABEL: func.func @taps(
//   CHECK-DAG: %[[ROW:.+]] = forge.index %{{.+}} dim 2 [1:2] : (tensor<4x8x3x3xf32>) -> tensor<4x8x1x3xf32>
//   CHECK-DAG: %[[PIXEL:.+]] = forge.index %[[ROW]] dim 3 [1:2] : (tensor<4x8x1x3xf32>) -> tensor<4x8x1x1xf32>
//       CHECK: %[[A:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<1x1x1x8xf32>, tensor<8x4xf32>)
//       CHECK: %[[B:.+]] = forge.conv2d %arg1, %{{.+}} stride [1, 1] padding [0, 1, 0, 1] channel_last : (tensor<1x1x5x8xf32>, tensor<4x8x1x3xf32>)
//       CHECK: %[[C:.+]] = forge.conv2d %arg2, %{{.+}} stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x2x2x8xf32>, tensor<4x8x3x3xf32>)
//       CHECK: return %[[A]], %[[B]], %[[C]]
func.func @taps(%x: tensor<1x1x1x8xf32>, %y: tensor<1x1x5x8xf32>, %z: tensor<1x2x2x8xf32>) -> (tensor<1x1x1x4xf32>, tensor<1x1x5x4xf32>, tensor<1x2x2x4xf32>) {
  %w = forge.parameter "w" : tensor<4x8x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x1x1x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x1x1x4xf32>
  %1 = forge.conv2d %y, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x1x5x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x1x5x4xf32>
  %2 = forge.conv2d %z, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x2x2x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x2x2x4xf32>
  return %0, %1, %2 : tensor<1x1x1x4xf32>, tensor<1x1x5x4xf32>, tensor<1x2x2x4xf32>
}

// Large weights at the end of what is computed with them: the slice of one axis does not keep the other's from being taken.
// CHECK-LABEL: func.func @taps_of_computed_weights(
//       CHECK: %[[W:.+]] = forge.index %{{.+}} dim 3 [1:2] : (tensor<128x64x1x3xf32>) -> tensor<128x64x1x1xf32>
//   CHECK-NOT: forge.index
//       CHECK: return
func.func @taps_of_computed_weights(%x: tensor<1x1x1x64xf32>) -> tensor<1x1x1x128xf32> {
  %w = forge.parameter "w" : tensor<128x64x3x3xf32>
  %0 = forge.relu %w : tensor<128x64x3x3xf32>
  %1 = forge.relu %0 : tensor<128x64x3x3xf32>
  %2 = forge.relu %1 : tensor<128x64x3x3xf32>
  %3 = forge.relu %2 : tensor<128x64x3x3xf32>
  %4 = forge.relu %3 : tensor<128x64x3x3xf32>
  %5 = forge.relu %4 : tensor<128x64x3x3xf32>
  %6 = forge.relu %5 : tensor<128x64x3x3xf32>
  %7 = forge.relu %6 : tensor<128x64x3x3xf32>
  %8 = forge.relu %7 : tensor<128x64x3x3xf32>
  %9 = forge.relu %8 : tensor<128x64x3x3xf32>
  %10 = forge.relu %9 : tensor<128x64x3x3xf32>
  %11 = forge.relu %10 : tensor<128x64x3x3xf32>
  %y = forge.conv2d %x, %11 stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x1x1x64xf32>, tensor<128x64x3x3xf32>) -> tensor<1x1x1x128xf32>
  return %y : tensor<1x1x1x128xf32>
}

// A mean stays that is of another axis, that gets more than a number, or that something else reads.
// CHECK-LABEL: func.func @no_mean_and_term(
// CHECK-NOT: forge.matmul
// CHECK: return
func.func @no_mean_and_term(%x: tensor<2x8x16xf32>, %t: tensor<2x8x1xf32>)
    -> (tensor<2x1x16xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>) {
  %one = forge.scalar_constant constant 1.0 dtype f32 : () -> tensor<1xf32>
  %0 = forge.reduce_avg %x dim 1 keep_dim : (tensor<2x8x16xf32>) -> tensor<2x1x16xf32>
  %1 = forge.add %0, %one : (tensor<2x1x16xf32>, tensor<1xf32>) -> tensor<2x1x16xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %3 = forge.add %2, %t : tensor<2x8x1xf32>
  %4 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x8x16xf32>) -> tensor<2x8x1xf32>
  %5 = forge.add %4, %one : (tensor<2x8x1xf32>, tensor<1xf32>) -> tensor<2x8x1xf32>
  return %1, %3, %4, %5 : tensor<2x1x16xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>, tensor<2x8x1xf32>
}

// Of single channels what is left of it is a number per channel, which the device takes as a product.
// CHECK-LABEL: func.func @taps_of_channels(
//      CHECK: %[[T:.+]] = forge.index %{{.+}} dim 3 [1:2] : (tensor<8x1x1x3xf32>) -> tensor<8x1x1x1xf32>
//      CHECK: %[[W:.+]] = forge.reshape %[[T]] shape [1, 1, 1, 8]
//      CHECK: %[[Y:.+]] = forge.multiply %arg0, %[[W]] : (tensor<2x1x1x8xf32>, tensor<1x1x1x8xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @taps_of_channels(%x: tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xf32> {
  %w = forge.parameter "w" : tensor<8x1x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] groups 8 channel_last : (tensor<2x1x1x8xf32>, tensor<8x1x3x3xf32>) -> tensor<2x1x1x8xf32>
  return %0 : tensor<2x1x1x8xf32>
}

// Axes of one element in front of what is broadcast to them anyway, as positions that are added to a batch.
// CHECK-LABEL: func.func @axes_in_front(
//  CHECK-NEXT: %[[Y:.+]] = forge.add %arg0, %arg1 : (tensor<1x4x8xf32>, tensor<4x8xf32>) -> tensor<1x4x8xf32>
//  CHECK-NEXT: %[[SAME:.+]] = forge.reshape %arg1
//  CHECK-NEXT: %[[DOUBLE:.+]] = forge.add %[[SAME]], %[[SAME]]
//  CHECK-NEXT: return %[[Y]], %[[DOUBLE]]
func.func @axes_in_front(%x: tensor<1x4x8xf32>, %positions: tensor<4x8xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  %0 = forge.reshape %positions shape [1, 4, 8] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
  %1 = forge.add %x, %0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %2 = forge.reshape %positions shape [1, 4, 8] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
  %3 = forge.add %2, %2 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return %1, %3 : tensor<1x4x8xf32>, tensor<1x4x8xf32>
}

// So are axes that are repeated, as a mask is for all heads; not where nothing else has them.
// CHECK-LABEL: func.func @repeated(
//  CHECK-NEXT: %[[Y:.+]] = forge.where %arg1, %arg0, %arg2 : (tensor<1x1x8xi1>, tensor<4x8x8xf32>, tensor<1x8xf32>) -> tensor<4x8x8xf32>
//  CHECK-NEXT: %[[M:.+]] = forge.repeat %arg1
//  CHECK-NEXT: %[[Z:.+]] = forge.where %[[M]], %arg2, %arg2
//  CHECK-NEXT: return %[[Y]], %[[Z]]
func.func @repeated(%x: tensor<4x8x8xf32>, %mask: tensor<1x1x8xi1>, %y: tensor<1x8xf32>) -> (tensor<4x8x8xf32>, tensor<4x8x8xf32>) {
  %0 = forge.repeat %mask repeats [4, 8, 1] : (tensor<1x1x8xi1>) -> tensor<4x8x8xi1>
  %1 = forge.where %0, %x, %y : (tensor<4x8x8xi1>, tensor<4x8x8xf32>, tensor<1x8xf32>) -> tensor<4x8x8xf32>
  %2 = forge.repeat %mask repeats [4, 8, 1] : (tensor<1x1x8xi1>) -> tensor<4x8x8xi1>
  %3 = forge.where %2, %y, %y : (tensor<4x8x8xi1>, tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<4x8x8xf32>
  return %1, %3 : tensor<4x8x8xf32>, tensor<4x8x8xf32>
}

// The kernel of a product takes a term per column.
// CHECK-LABEL: func.func @number(
//       CHECK: %[[T:.+]] = forge.constant dense<5.000000e-01> : tensor<4xf32>
//       CHECK: forge.matmul %arg0, %{{.+}}, %[[T]] : (tensor<2x8xf32>, tensor<8x4xf32>, tensor<4xf32>)
func.func @number(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %t = forge.constant dense<0.5> : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %0, %t : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// A function joins the call in front of movement.
// CHECK-LABEL: func.func @function_of_moved(
//       CHECK: %[[S:.+]] = forge.add %arg0, %arg0
//  CHECK-NEXT: %[[F:.+]] = forge.relu %[[S]] : tensor<1x6x4xf32>
//  CHECK-NEXT: %[[T:.+]] = forge.transpose %[[F]] dims -2, -1 : (tensor<1x6x4xf32>) -> tensor<1x4x6xf32>
//  CHECK-NEXT: %[[R:.+]] = forge.reshape %[[T]] shape [1, 4, 2, 3]
//  CHECK-NEXT: return %[[R]]
func.func @function_of_moved(%x: tensor<1x6x4xf32>) -> tensor<1x4x2x3xf32> {
  %0 = forge.add %x, %x : tensor<1x6x4xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x6x4xf32>) -> tensor<1x4x6xf32>
  %2 = forge.reshape %1 shape [1, 4, 2, 3] : (tensor<1x4x6xf32>) -> tensor<1x4x2x3xf32>
  %3 = forge.relu %2 : tensor<1x4x2x3xf32>
  return %3 : tensor<1x4x2x3xf32>
}

// What is moved is read as it is, too.
// CHECK-LABEL: func.func @moved_twice(
//       CHECK: %[[R:.+]] = forge.reshape
//  CHECK-NEXT: forge.relu %[[R]]
func.func @moved_twice(%x: tensor<1x6x4xf32>) -> (tensor<1x24xf32>, tensor<1x24xf32>) {
  %0 = forge.add %x, %x : tensor<1x6x4xf32>
  %1 = forge.reshape %0 shape [1, 24] : (tensor<1x6x4xf32>) -> tensor<1x24xf32>
  %2 = forge.relu %1 : tensor<1x24xf32>
  return %1, %2 : tensor<1x24xf32>, tensor<1x24xf32>
}

// A product of two vectors is a number, which has no columns.
// CHECK-LABEL: func.func @product_of_vectors(
//  CHECK-NEXT:   %[[Y:.+]] = forge.matmul %arg0, %arg1
//  CHECK-NEXT:   return %[[Y]]
func.func @product_of_vectors(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<f32> {
  %0 = forge.matmul %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

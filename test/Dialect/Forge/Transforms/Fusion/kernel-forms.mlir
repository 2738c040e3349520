// RUN: forge-opt %s --forge-kernel-forms | FileCheck %s
// RUN: forge-opt %s --forge-kernel-forms=keep-padding | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: func.func @pointwise_convolution(
//      CHECK: %[[R:.+]] = forge.reshape %{{.+}} shape [6, 4]
//      CHECK: %[[W:.+]] = forge.transpose %[[R]] dims -2, -1
//      CHECK: %[[Y:.+]] = forge.matmul %arg0, %[[W]], %{{.+}} : (tensor<1x8x8x4xf32>, tensor<4x6xf32>, tensor<6xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @pointwise_convolution(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x6xf32> {
  %w = forge.parameter "w" : tensor<6x4x1x1xf32>
  %b = forge.parameter "b" : tensor<6xf32>
  %0 = forge.conv2d %x, %w, %b stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>, tensor<6x4x1x1xf32>, tensor<6xf32>) -> tensor<1x8x8x6xf32>
  return %0 : tensor<1x8x8x6xf32>
}

// The bias of a product has at most as many axes as the product.
// CHECK-LABEL: func.func @pointwise_convolution_with_a_bias_of_five_axes(
//       CHECK: %[[B:.+]] = forge.reshape %arg1 shape [1, 1, 1, 6]
//       CHECK: forge.matmul %arg0, %{{.+}}, %[[B]] : (tensor<1x8x8x4xf32>, tensor<4x6xf32>, tensor<1x1x1x6xf32>)
func.func @pointwise_convolution_with_a_bias_of_five_axes(%x: tensor<1x8x8x4xf32>, %b: tensor<1x1x1x1x6xf32>) -> tensor<1x8x8x6xf32> {
  %w = forge.parameter "w" : tensor<6x4x1x1xf32>
  %0 = forge.conv2d %x, %w, %b stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>, tensor<6x4x1x1xf32>, tensor<1x1x1x1x6xf32>) -> tensor<1x8x8x6xf32>
  return %0 : tensor<1x8x8x6xf32>
}

// A strided 1x1 convolution reads every second pixel only, so that it is no product of the whole image.
// CHECK-LABEL: func.func @strided_pointwise_convolution(
//   CHECK-NOT: forge.matmul
func.func @strided_pointwise_convolution(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x6xf32> {
  %w = forge.parameter "w" : tensor<6x4x1x1xf32>
  %0 = forge.conv2d %x, %w stride [2, 2] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>, tensor<6x4x1x1xf32>) -> tensor<1x4x4x6xf32>
  return %0 : tensor<1x4x4x6xf32>
}

// The product of a splat and a weight is a computed weight, which can be transposed when it is written.
// CHECK-LABEL: func.func @pointwise_with_scaled_splat(
//       CHECK: forge.matmul %arg0, %{{.+}} : (tensor<1x8x8x4xf32>, tensor<4x6xf32>)
func.func @pointwise_with_scaled_splat(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x6xf32> {
  %w = forge.constant dense<2.0> : tensor<6x4x1x1xf32>
  %s = forge.parameter "s" : tensor<6x1x1x1xf32>
  %v = forge.multiply %w, %s : (tensor<6x4x1x1xf32>, tensor<6x1x1x1xf32>) -> tensor<6x4x1x1xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>, tensor<6x4x1x1xf32>) -> tensor<1x8x8x6xf32>
  return %0 : tensor<1x8x8x6xf32>
}

// A splat is not stored as a weight, so that its transpose would be computed in each run. A splat of the transposed
// shape replaces it.
// CHECK-LABEL: func.func @pointwise_with_splat(
//       CHECK: %[[W:.+]] = forge.constant dense<2.000000e+00> : tensor<4x6xf32>
//       CHECK: forge.matmul %arg0, %[[W]] :
func.func @pointwise_with_splat(%x: tensor<1x8x8x4xf32>) -> tensor<1x8x8x6xf32> {
  %w = forge.constant dense<2.0> : tensor<6x4x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x8x8x4xf32>, tensor<6x4x1x1xf32>) -> tensor<1x8x8x6xf32>
  return %0 : tensor<1x8x8x6xf32>
}

// A ReLU is fused into the kernel of a convolution, but would be a separate op after a matrix product. If the result
// has more channels than the operand, it costs more than the change of the operand's layout.
// CHECK-LABEL: func.func @expanding_pointwise_with_relu(
//   CHECK-NOT: forge.matmul
func.func @expanding_pointwise_with_relu(%x: tensor<1x32x32x32xf32>) -> tensor<1x32x32x128xf32> {
  %w = forge.parameter "w" : tensor<128x32x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x32x32x32xf32>, tensor<128x32x1x1xf32>) -> tensor<1x32x32x128xf32>
  %1 = forge.relu %0 : tensor<1x32x32x128xf32>
  return %1 : tensor<1x32x32x128xf32>
}

// CHECK-LABEL: func.func @reducing_pointwise_with_relu(
//       CHECK: forge.matmul
//       CHECK: forge.relu
func.func @reducing_pointwise_with_relu(%x: tensor<1x32x32x128xf32>) -> tensor<1x32x32x32xf32> {
  %w = forge.parameter "w" : tensor<32x128x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x32x32x128xf32>, tensor<32x128x1x1xf32>) -> tensor<1x32x32x32xf32>
  %1 = forge.relu %0 : tensor<1x32x32x32xf32>
  return %1 : tensor<1x32x32x32xf32>
}

// Another convolution needs the operand in the same layout, so that a matrix product would not save the change of
// layout.
// CHECK-LABEL: func.func @pointwise_and_window(
//   CHECK-NOT: forge.matmul
func.func @pointwise_and_window(%x: tensor<1x32x32x128xf32>) -> (tensor<1x32x32x32xf32>, tensor<1x32x32x32xf32>) {
  %w = forge.parameter "w" : tensor<32x128x1x1xf32>
  %v = forge.parameter "v" : tensor<32x128x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x32x32x128xf32>, tensor<32x128x1x1xf32>) -> tensor<1x32x32x32xf32>
  %1 = forge.relu %0 : tensor<1x32x32x32xf32>
  %2 = forge.conv2d %x, %v stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x32x32x128xf32>, tensor<32x128x3x3xf32>) -> tensor<1x32x32x32xf32>
  return %1, %2 : tensor<1x32x32x32xf32>, tensor<1x32x32x32xf32>
}

// CHECK-LABEL: func.func @bias(
//      CHECK: forge.matmul %arg0, %{{.+}}, %{{.+}} : (tensor<2x8xf32>, tensor<8x4xf32>, tensor<4xf32>)
//  CHECK-NOT: forge.add
// KEEP-LABEL: func.func @bias(
//       KEEP: forge.add
func.func @bias(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %b, %0 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// A bias becomes the third operand of a product, an addition of a mask does as well, and the sum with a residual is
// added after the bias.
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

// A product of weights is computed when the weights are written, without a fused bias.
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

// Unchanged: the product has another user, or the sum is larger than the product.
// CHECK-LABEL: func.func @not_a_bias(
// CHECK-COUNT-2: forge.add
func.func @not_a_bias(%x: tensor<2x8xf32>, %y: tensor<8x4xf32>, %big: tensor<3x2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x2x4xf32>) {
  %0 = forge.matmul %x, %y : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %0, %0 : tensor<2x4xf32>
  %2 = forge.matmul %x, %y : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %3 = forge.add %2, %big : (tensor<2x4xf32>, tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  return %0, %1, %3 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<3x2x4xf32>
}

// The device fuses a ReLU into an addition, but not into a matrix product: a residual addition before a ReLU stays. A
// bias with one element per column is no separate addition kernel, and becomes the third operand.
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

// A product of weights is computed when the weights are written; with an activation as its third operand it would be
// computed in each run.
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

// A bias of +0 is added if a quotient shows the sign of the result, which is -0 for a scale of 0. One of -0 is not.
// CHECK-LABEL: func.func @norm_of_a_divisor(
//  CHECK-DAG: %[[ZEROS:.+]] = forge.constant dense<0.000000e+00>
//      CHECK: %[[G:.+]] = forge.multiply %{{.+}} : (tensor<2x16xf32>, tensor<16xf32>)
// CHECK-NEXT: %[[B:.+]] = forge.add %[[G]], %[[ZEROS]]
//      CHECK: %[[H:.+]] = forge.multiply %{{.+}} : (tensor<2x16xf32>, tensor<16xf32>)
// CHECK-NEXT: forge.divide %arg1, %[[B]]
// CHECK-NEXT: forge.divide %arg1, %[[H]]
func.func @norm_of_a_divisor(%x: tensor<2x16xf32>, %y: tensor<2x16xf32>) -> (tensor<2x16xf32>, tensor<2x16xf32>) {
  %g = forge.parameter "g" : tensor<16xf32>
  %zeros = forge.constant dense<0.0> : tensor<16xf32>
  %negative = forge.constant dense<-0.0> : tensor<16xf32>
  %0 = forge.layernorm %x, %g, %zeros dim -1 epsilon 1.0e-05 : (tensor<2x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
  %1 = forge.layernorm %x, %g, %negative dim -1 epsilon 1.0e-05 : (tensor<2x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<2x16xf32>
  %2 = forge.divide %y, %0 : tensor<2x16xf32>
  %3 = forge.divide %y, %1 : tensor<2x16xf32>
  return %2, %3 : tensor<2x16xf32>, tensor<2x16xf32>
}

// A layer norm accepts a scale of more axes than its operand has; a multiplication would add these axes to its result,
// so that the scale is reshaped.
// CHECK-LABEL: func.func @norm_with_scales_of_more_axes(
//       CHECK: forge.multiply %{{.+}} : (tensor<8x16xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
//       CHECK: forge.add %{{.+}} : (tensor<8x16xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
func.func @norm_with_scales_of_more_axes(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %g = forge.parameter "g" : tensor<1x1x16xf32>
  %b = forge.parameter "b" : tensor<1x1x16xf32>
  %0 = forge.layernorm %x, %g, %b dim -1 epsilon 1.0e-05 : (tensor<8x16xf32>, tensor<1x1x16xf32>, tensor<1x1x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// In 16-bit types the separate ops would round in between.
// CHECK-LABEL: func.func @norm_16(
//       CHECK: forge.layernorm
func.func @norm_16(%x: tensor<2x8x16xf16>) -> tensor<2x8x16xf16> {
  %g = forge.parameter "g" : tensor<16xf16>
  %b = forge.parameter "b" : tensor<16xf16>
  %0 = forge.layernorm %x, %g, %b dim -1 epsilon 1.0e-05 : (tensor<2x8x16xf16>, tensor<16xf16>, tensor<16xf16>) -> tensor<2x8x16xf16>
  return %0 : tensor<2x8x16xf16>
}

// A reciprocal with one user becomes a division; one with two users stays.
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

// On an image of one pixel only the centre of a padded window reads it, and the convolution becomes a matrix product.
// On an image of one row the first and last row of the window are removed. A window larger than the image keeps all
// positions that are read for some output.
// CHECK-LABEL: func.func @unread_window_positions(
//   CHECK-DAG: %[[ROW:.+]] = forge.index %{{.+}} dim 2 [1:2] : (tensor<4x8x3x3xf32>) -> tensor<4x8x1x3xf32>
//   CHECK-DAG: %[[PIXEL:.+]] = forge.index %[[ROW]] dim 3 [1:2] : (tensor<4x8x1x3xf32>) -> tensor<4x8x1x1xf32>
//       CHECK: %[[A:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<1x1x1x8xf32>, tensor<8x4xf32>)
//       CHECK: %[[B:.+]] = forge.conv2d %arg1, %{{.+}} stride [1, 1] padding [0, 1, 0, 1] channel_last : (tensor<1x1x5x8xf32>, tensor<4x8x1x3xf32>)
//       CHECK: %[[C:.+]] = forge.conv2d %arg2, %{{.+}} stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x2x2x8xf32>, tensor<4x8x3x3xf32>)
//       CHECK: return %[[A]], %[[B]], %[[C]]
func.func @unread_window_positions(%x: tensor<1x1x1x8xf32>, %y: tensor<1x1x5x8xf32>, %z: tensor<1x2x2x8xf32>) -> (tensor<1x1x1x4xf32>, tensor<1x1x5x4xf32>, tensor<1x2x2x4xf32>) {
  %w = forge.parameter "w" : tensor<4x8x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x1x1x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x1x1x4xf32>
  %1 = forge.conv2d %y, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x1x5x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x1x5x4xf32>
  %2 = forge.conv2d %z, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x2x2x8xf32>, tensor<4x8x3x3xf32>) -> tensor<1x2x2x4xf32>
  return %0, %1, %2 : tensor<1x1x1x4xf32>, tensor<1x1x5x4xf32>, tensor<1x2x2x4xf32>
}

// Slices of computed weights are limited in the length of the computation; the slice of one axis does not prevent that
// of the other.
// CHECK-LABEL: func.func @unread_positions_of_computed_weights(
//       CHECK: %[[W:.+]] = forge.index %{{.+}} dim 3 [1:2] : (tensor<128x64x1x3xf32>) -> tensor<128x64x1x1xf32>
//   CHECK-NOT: forge.index
//       CHECK: return
func.func @unread_positions_of_computed_weights(%x: tensor<1x1x1x64xf32>) -> tensor<1x1x1x128xf32> {
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

// Unchanged: a mean over another axis, an addition of more than a scalar, and a mean with another user.
// CHECK-LABEL: func.func @no_mean_and_scalar(
// CHECK-NOT: forge.matmul
// CHECK: return
func.func @no_mean_and_scalar(%x: tensor<2x8x16xf32>, %t: tensor<2x8x1xf32>)
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

// In a depthwise convolution, the single remaining window position is one scale per channel, which becomes a
// multiplication.
// CHECK-LABEL: func.func @unread_positions_of_depthwise(
//      CHECK: %[[T:.+]] = forge.index %{{.+}} dim 3 [1:2] : (tensor<8x1x1x3xf32>) -> tensor<8x1x1x1xf32>
//      CHECK: %[[W:.+]] = forge.reshape %[[T]] shape [1, 1, 1, 8]
//      CHECK: %[[Y:.+]] = forge.multiply %arg0, %[[W]] : (tensor<2x1x1x8xf32>, tensor<1x1x1x8xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @unread_positions_of_depthwise(%x: tensor<2x1x1x8xf32>) -> tensor<2x1x1x8xf32> {
  %w = forge.parameter "w" : tensor<8x1x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] groups 8 channel_last : (tensor<2x1x1x8xf32>, tensor<8x1x3x3xf32>) -> tensor<2x1x1x8xf32>
  return %0 : tensor<2x1x1x8xf32>
}

// A reshape that only adds leading axes of size 1 is removed where broadcasting adds them anyway, as for positional
// embeddings.
// CHECK-LABEL: func.func @leading_axes(
//  CHECK-NEXT: %[[Y:.+]] = forge.add %arg0, %arg1 : (tensor<1x4x8xf32>, tensor<4x8xf32>) -> tensor<1x4x8xf32>
//  CHECK-NEXT: %[[SAME:.+]] = forge.reshape %arg1
//  CHECK-NEXT: %[[DOUBLE:.+]] = forge.add %[[SAME]], %[[SAME]]
//  CHECK-NEXT: return %[[Y]], %[[DOUBLE]]
func.func @leading_axes(%x: tensor<1x4x8xf32>, %positions: tensor<4x8xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x8xf32>) {
  %0 = forge.reshape %positions shape [1, 4, 8] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
  %1 = forge.add %x, %0 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %2 = forge.reshape %positions shape [1, 4, 8] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
  %3 = forge.add %2, %2 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return %1, %3 : tensor<1x4x8xf32>, tensor<1x4x8xf32>
}

// The same for a reshape of a tensor of rank 0.
// CHECK-LABEL: func.func @reshape_of_rank_0(
//  CHECK-NEXT: %[[Y:.+]] = forge.add %arg0, %arg1 : (tensor<f32>, tensor<3x3xf32>) -> tensor<3x3xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @reshape_of_rank_0(%x: tensor<f32>, %y: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = forge.reshape %x shape [1, 1] : (tensor<f32>) -> tensor<1x1xf32>
  %1 = forge.add %0, %y : (tensor<1x1xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}

// A repeat along an axis that is broadcast anyway is removed, as of a mask for all heads; it stays if no other operand
// has the axis in full size.
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

// The third operand of a product has one element per column: a scalar is expanded.
// CHECK-LABEL: func.func @scalar_bias(
//       CHECK: %[[T:.+]] = forge.constant dense<5.000000e-01> : tensor<4xf32>
//       CHECK: forge.matmul %arg0, %{{.+}}, %[[T]] : (tensor<2x8xf32>, tensor<8x4xf32>, tensor<4xf32>)
func.func @scalar_bias(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %t = forge.constant dense<0.5> : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %0, %t : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// An elementwise op is moved before transposes and reshapes, next to the op that produces their operand.
// CHECK-LABEL: func.func @elementwise_after_movement(
//       CHECK: %[[S:.+]] = forge.add %arg0, %arg0
//  CHECK-NEXT: %[[F:.+]] = forge.relu %[[S]] : tensor<1x6x4xf32>
//  CHECK-NEXT: %[[T:.+]] = forge.transpose %[[F]] dims -2, -1 : (tensor<1x6x4xf32>) -> tensor<1x4x6xf32>
//  CHECK-NEXT: %[[R:.+]] = forge.reshape %[[T]] shape [1, 4, 2, 3]
//  CHECK-NEXT: return %[[R]]
func.func @elementwise_after_movement(%x: tensor<1x6x4xf32>) -> tensor<1x4x2x3xf32> {
  %0 = forge.add %x, %x : tensor<1x6x4xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x6x4xf32>) -> tensor<1x4x6xf32>
  %2 = forge.reshape %1 shape [1, 4, 2, 3] : (tensor<1x4x6xf32>) -> tensor<1x4x2x3xf32>
  %3 = forge.relu %2 : tensor<1x4x2x3xf32>
  return %3 : tensor<1x4x2x3xf32>
}

// The reshaped value has another user: the elementwise op stays.
// CHECK-LABEL: func.func @movement_with_two_users(
//       CHECK: %[[R:.+]] = forge.reshape
//  CHECK-NEXT: forge.relu %[[R]]
func.func @movement_with_two_users(%x: tensor<1x6x4xf32>) -> (tensor<1x24xf32>, tensor<1x24xf32>) {
  %0 = forge.add %x, %x : tensor<1x6x4xf32>
  %1 = forge.reshape %0 shape [1, 24] : (tensor<1x6x4xf32>) -> tensor<1x24xf32>
  %2 = forge.relu %1 : tensor<1x24xf32>
  return %1, %2 : tensor<1x24xf32>, tensor<1x24xf32>
}

// A product of two vectors is a scalar, which has no columns.
// CHECK-LABEL: func.func @product_of_vectors(
//  CHECK-NEXT:   %[[Y:.+]] = forge.matmul %arg0, %arg1
//  CHECK-NEXT:   return %[[Y]]
func.func @product_of_vectors(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<f32> {
  %0 = forge.matmul %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

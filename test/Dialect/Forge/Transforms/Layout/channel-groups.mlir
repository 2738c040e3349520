// RUN: forge-opt %s --forge-channels-last --forge-join-movement | FileCheck %s

// The mean of a group is the mean of the means of its channels, repeated for each of them, so that the pixels stay
// flattened with channels last.
// CHECK-LABEL: func.func @norm(
//       CHECK: %[[C:.+]] = forge.conv2d {{.*}}channel_last
//       CHECK: %[[X:.+]] = forge.reshape %[[C]] shape [1, 4096, 4] : (tensor<1x64x64x4xf32>)
//       CHECK: %[[M:.+]] = forge.reduce_avg %[[X]] dim -2 keep_dim : (tensor<1x4096x4xf32>) -> tensor<1x1x4xf32>
//       CHECK: %[[J:.+]] = forge.reshape %[[M]] shape [1, 1, 2, 2]
//       CHECK: %[[A:.+]] = forge.reduce_avg %[[J]] dim -1 : (tensor<1x1x2x2xf32>) -> tensor<1x1x2xf32>
//       CHECK: %[[G:.+]] = forge.repeat_interleave %[[A]] repeats 2 dim -1 : (tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
//       CHECK: %[[D:.+]] = forge.subtract %[[X]], %[[G]] : (tensor<1x4096x4xf32>, tensor<1x1x4xf32>)
// A scale per group is repeated for each channel.
//       CHECK: %[[S:.+]] = forge.repeat_interleave %{{.+}} repeats 2 dim -1 : (tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
//       CHECK: %[[N:.+]] = forge.multiply %[[D]], %[[S]]
// Elementwise ops before the next convolution are computed on the flattened pixels, too.
//       CHECK: %[[R:.+]] = forge.relu %[[N]] : tensor<1x4096x4xf32>
//       CHECK: %[[I:.+]] = forge.reshape %[[R]] shape [1, 64, 64, 4]
//       CHECK: forge.conv2d %[[I]]
func.func @norm(%x: tensor<1x3x64x64xf32>) -> tensor<1x2x64x64xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %s = forge.parameter "s" : tensor<1x2x1xf32>
  %v = forge.parameter "v" : tensor<2x4x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x64x64xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x64x64xf32>
  %1 = forge.reshape %0 shape [1, 2, 8192] : (tensor<1x4x64x64xf32>) -> tensor<1x2x8192xf32>
  %2 = forge.reduce_avg %1 dim -1 keep_dim : (tensor<1x2x8192xf32>) -> tensor<1x2x1xf32>
  %3 = forge.subtract %1, %2 : (tensor<1x2x8192xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8192xf32>
  %4 = forge.multiply %3, %s : (tensor<1x2x8192xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8192xf32>
  %5 = forge.reshape %4 shape [1, 4, 64, 64] : (tensor<1x2x8192xf32>) -> tensor<1x4x64x64xf32>
  %6 = forge.relu %5 : tensor<1x4x64x64xf32>
  %7 = forge.conv2d %6, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x64x64xf32>, tensor<2x4x3x3xf32>) -> tensor<1x2x64x64xf32>
  return %7 : tensor<1x2x64x64xf32>
}

// If all channels are one group, its mean is the mean of their means.
// CHECK-LABEL: func.func @one_group(
//       CHECK: %[[M:.+]] = forge.reduce_avg %{{.+}} dim -2 keep_dim : (tensor<2x4096x4xf32>) -> tensor<2x1x4xf32>
//  CHECK-NEXT: forge.reduce_avg %[[M]] dim -1 keep_dim : (tensor<2x1x4xf32>) -> tensor<2x1x1xf32>
func.func @one_group(%x: tensor<2x3x64x64xf32>) -> tensor<2x2x64x64xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %v = forge.parameter "v" : tensor<2x4x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<2x3x64x64xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x64x64xf32>
  %1 = forge.reshape %0 shape [2, 1, 16384] : (tensor<2x4x64x64xf32>) -> tensor<2x1x16384xf32>
  %2 = forge.reduce_avg %1 dim -1 keep_dim : (tensor<2x1x16384xf32>) -> tensor<2x1x1xf32>
  %3 = forge.subtract %1, %2 : (tensor<2x1x16384xf32>, tensor<2x1x1xf32>) -> tensor<2x1x16384xf32>
  %4 = forge.reshape %3 shape [2, 4, 64, 64] : (tensor<2x1x16384xf32>) -> tensor<2x4x64x64xf32>
  %5 = forge.conv2d %4, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<2x4x64x64xf32>, tensor<2x4x3x3xf32>) -> tensor<2x2x64x64xf32>
  return %5 : tensor<2x2x64x64xf32>
}

// A reshape at the end is no part of the norm, even if another op of the norm reads its result: unchanged.
// CHECK-LABEL: func.func @end_with_mean(
//       CHECK: forge.reshape %{{.+}} shape [2, 1, 16384]
//       CHECK: forge.multiply %{{.+}} : (tensor<2x1x16384xf32>, tensor<2x1x1xf32>)
func.func @end_with_mean(%x: tensor<2x3x64x64xf32>) -> tensor<2x2x64x64xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %v = forge.parameter "v" : tensor<2x4x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<2x3x64x64xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x64x64xf32>
  %1 = forge.reshape %0 shape [2, 1, 16384] : (tensor<2x4x64x64xf32>) -> tensor<2x1x16384xf32>
  %2 = forge.reduce_avg %1 dim -1 keep_dim : (tensor<2x1x16384xf32>) -> tensor<2x1x1xf32>
  %3 = forge.subtract %1, %2 : (tensor<2x1x16384xf32>, tensor<2x1x1xf32>) -> tensor<2x1x16384xf32>
  %4 = forge.reshape %3 shape [2, 4, 4096] : (tensor<2x1x16384xf32>) -> tensor<2x4x4096xf32>
  %5 = forge.multiply %4, %2 : (tensor<2x4x4096xf32>, tensor<2x1x1xf32>) -> tensor<2x4x4096xf32>
  %6 = forge.reshape %5 shape [2, 4, 64, 64] : (tensor<2x4x4096xf32>) -> tensor<2x4x64x64xf32>
  %7 = forge.conv2d %6, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<2x4x64x64xf32>, tensor<2x4x3x3xf32>) -> tensor<2x2x64x64xf32>
  return %7 : tensor<2x2x64x64xf32>
}

// The mean has another user, which needs its shape: unchanged.
// CHECK-LABEL: func.func @mean_with_another_user(
//       CHECK: forge.reshape %{{.+}} shape [1, 2, 8192]
func.func @mean_with_another_user(%x: tensor<1x3x64x64xf32>) -> (tensor<1x2x64x64xf32>, tensor<1x2x1xf32>) {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %v = forge.parameter "v" : tensor<2x4x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x64x64xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x64x64xf32>
  %1 = forge.reshape %0 shape [1, 2, 8192] : (tensor<1x4x64x64xf32>) -> tensor<1x2x8192xf32>
  %2 = forge.reduce_avg %1 dim -1 keep_dim : (tensor<1x2x8192xf32>) -> tensor<1x2x1xf32>
  %3 = forge.subtract %1, %2 : (tensor<1x2x8192xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8192xf32>
  %4 = forge.reshape %3 shape [1, 4, 64, 64] : (tensor<1x2x8192xf32>) -> tensor<1x4x64x64xf32>
  %5 = forge.conv2d %4, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x64x64xf32>, tensor<2x4x3x3xf32>) -> tensor<1x2x64x64xf32>
  return %5, %2 : tensor<1x2x64x64xf32>, tensor<1x2x1xf32>
}

// An addend with an element for each merged channel and pixel distinguishes them: unchanged.
// CHECK-LABEL: func.func @addend_per_element(
//       CHECK: forge.reshape %{{.+}} shape [1, 2, 8192]
func.func @addend_per_element(%x: tensor<1x3x64x64xf32>) -> tensor<1x2x64x64xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %t = forge.parameter "t" : tensor<1x1x8192xf32>
  %v = forge.parameter "v" : tensor<2x4x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x64x64xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x64x64xf32>
  %1 = forge.reshape %0 shape [1, 2, 8192] : (tensor<1x4x64x64xf32>) -> tensor<1x2x8192xf32>
  %2 = forge.reduce_avg %1 dim -1 keep_dim : (tensor<1x2x8192xf32>) -> tensor<1x2x1xf32>
  %3 = forge.subtract %1, %2 : (tensor<1x2x8192xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8192xf32>
  %4 = forge.add %3, %t : (tensor<1x2x8192xf32>, tensor<1x1x8192xf32>) -> tensor<1x2x8192xf32>
  %5 = forge.reshape %4 shape [1, 4, 64, 64] : (tensor<1x2x8192xf32>) -> tensor<1x4x64x64xf32>
  %6 = forge.conv2d %5, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x64x64xf32>, tensor<2x4x3x3xf32>) -> tensor<1x2x64x64xf32>
  return %6 : tensor<1x2x64x64xf32>
}

// The normalised value is an output as well. An infinity affects its own group only, because no matrix product computes
// the means.
// CHECK-LABEL: func.func @norm_with_another_user(
//   CHECK-NOT: forge.matmul
//       CHECK: return
func.func @norm_with_another_user(%x: tensor<1x3x64x64xf32>) -> (tensor<1x2x64x64xf32>, tensor<1x4x64x64xf32>) {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %v = forge.parameter "v" : tensor<2x4x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x64x64xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x64x64xf32>
  %1 = forge.reshape %0 shape [1, 2, 8192] : (tensor<1x4x64x64xf32>) -> tensor<1x2x8192xf32>
  %2 = forge.reduce_avg %1 dim -1 keep_dim : (tensor<1x2x8192xf32>) -> tensor<1x2x1xf32>
  %3 = forge.subtract %1, %2 : (tensor<1x2x8192xf32>, tensor<1x2x1xf32>) -> tensor<1x2x8192xf32>
  %4 = forge.reshape %3 shape [1, 4, 64, 64] : (tensor<1x2x8192xf32>) -> tensor<1x4x64x64xf32>
  %5 = forge.conv2d %4, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x64x64xf32>, tensor<2x4x3x3xf32>) -> tensor<1x2x64x64xf32>
  return %5, %4 : tensor<1x2x64x64xf32>, tensor<1x4x64x64xf32>
}

// x * sigmoid(x) is moved before the reshape to an image; a product with another image is not.
// CHECK-LABEL: func.func @elementwise_after_reshape(
//       CHECK: %[[X:.+]] = forge.softmax %{{.+}} dim -2 stable : tensor<1x4096x4xf32>
//       CHECK: %[[G:.+]] = forge.sigmoid %[[X]] : tensor<1x4096x4xf32>
//       CHECK: %[[S:.+]] = forge.multiply %[[X]], %[[G]] : tensor<1x4096x4xf32>
//       CHECK: %[[A:.+]] = forge.add %[[S]], %{{.+}} : (tensor<1x4096x4xf32>, tensor<1x1x4xf32>)
//       CHECK: %[[I:.+]] = forge.reshape %[[A]] shape [1, 64, 64, 4]
//       CHECK: forge.multiply %[[I]], %{{.+}} : tensor<1x64x64x4xf32>
func.func @elementwise_after_reshape(%x: tensor<1x3x64x64xf32>) -> tensor<1x2x64x64xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %t = forge.parameter "t" : tensor<1x4x1x1xf32>
  %v = forge.parameter "v" : tensor<2x4x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x64x64xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x64x64xf32>
  %1 = forge.reshape %0 shape [1, 4, 4096] : (tensor<1x4x64x64xf32>) -> tensor<1x4x4096xf32>
  %2 = forge.softmax %1 dim 2 stable : tensor<1x4x4096xf32>
  %3 = forge.reshape %2 shape [1, 4, 64, 64] : (tensor<1x4x4096xf32>) -> tensor<1x4x64x64xf32>
  %4 = forge.sigmoid %3 : tensor<1x4x64x64xf32>
  %5 = forge.multiply %3, %4 : tensor<1x4x64x64xf32>
  %6 = forge.add %5, %t : (tensor<1x4x64x64xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x64x64xf32>
  %7 = forge.multiply %6, %0 : tensor<1x4x64x64xf32>
  %8 = forge.conv2d %7, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x64x64xf32>, tensor<2x4x3x3xf32>) -> tensor<1x2x64x64xf32>
  return %8 : tensor<1x2x64x64xf32>
}

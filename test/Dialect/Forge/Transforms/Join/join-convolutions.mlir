// RUN: forge-opt %s --forge-join-convolutions=fast-math=zero-products --mlir-pass-statistics 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNT <%t

// COUNT: convolutions-joined

// A fire module of SqueezeNet: the 1x1 filters are padded with zeros to 3x3, and one ReLU of the merged result remains.
// CHECK-LABEL: func.func @fire(
//   CHECK-DAG: %[[V:.+]] = forge.parameter "v"
//   CHECK-DAG: %[[W:.+]] = forge.parameter "w"
//       CHECK: %[[R:.+]] = forge.concatenate %{{.+}}, %[[V]], %{{.+}} axis -2 : (tensor<32x16x1x1xf32>, tensor<32x16x1x1xf32>, tensor<32x16x1x1xf32>) -> tensor<32x16x3x1xf32>
//       CHECK: %[[E:.+]] = forge.concatenate %{{.+}}, %[[R]], %{{.+}} axis -1 : (tensor<32x16x3x1xf32>, tensor<32x16x3x1xf32>, tensor<32x16x3x1xf32>) -> tensor<32x16x3x3xf32>
//       CHECK: %[[F:.+]] = forge.concatenate %[[E]], %[[W]] axis -4
//       CHECK: %[[B:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -1 : (tensor<32xf32>, tensor<64xf32>) -> tensor<96xf32>
//       CHECK: %[[C:.+]] = forge.conv2d %arg0, %[[F]], %[[B]] stride [1, 1] padding [1, 1, 1, 1] : {{.*}} -> tensor<1x96x8x8xf32>
//       CHECK: %[[Y:.+]] = forge.relu %[[C]]
//       CHECK: forge.conv2d %[[Y]]
func.func @fire(%x: tensor<1x16x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %v = forge.parameter "v" : tensor<32x16x1x1xf32>
  %w = forge.parameter "w" : tensor<64x16x3x3xf32>
  %b = forge.parameter "b" : tensor<32xf32>
  %c = forge.parameter "c" : tensor<1x1x1x64xf32>
  %u = forge.parameter "u" : tensor<8x96x1x1xf32>
  %0 = forge.conv2d %x, %v, %b stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
  %1 = forge.relu %0 : tensor<1x32x8x8xf32>
  %2 = forge.conv2d %x, %w, %c stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x16x8x8xf32>, tensor<64x16x3x3xf32>, tensor<1x1x1x64xf32>) -> tensor<1x64x8x8xf32>
  %3 = forge.relu %2 : tensor<1x64x8x8xf32>
  %4 = forge.concatenate %1, %3 axis 1 : (tensor<1x32x8x8xf32>, tensor<1x64x8x8xf32>) -> tensor<1x96x8x8xf32>
  %5 = forge.conv2d %4, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x96x8x8xf32>, tensor<8x96x1x1xf32>) -> tensor<1x8x8x8xf32>
  return %5 : tensor<1x8x8x8xf32>
}

// Equal windows need no zeros, so that any op may use the result. The pool in the same concatenation stays.
// CHECK-LABEL: func.func @equal_windows(
//       CHECK: %[[P:.+]] = forge.max_pool2d
//       CHECK: %[[C:.+]] = forge.conv2d %arg0, %{{.+}} stride [2, 2] padding [1, 1, 1, 1] : {{.*}} -> tensor<1x24x4x4xf32>
//       CHECK: %[[S:.+]] = forge.sigmoid %[[C]]
//       CHECK: forge.concatenate %[[P]], %[[S]] axis 1
func.func @equal_windows(%x: tensor<1x4x8x8xf32>) -> tensor<1x28x4x4xf32> {
  %v = forge.parameter "v" : tensor<8x4x3x3xf32>
  %w = forge.parameter "w" : tensor<16x4x3x3xf32>
  %p = forge.max_pool2d %x kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  %0 = forge.conv2d %x, %v stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32>
  %1 = forge.sigmoid %0 : tensor<1x8x4x4xf32>
  %2 = forge.conv2d %x, %w stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<16x4x3x3xf32>) -> tensor<1x16x4x4xf32>
  %3 = forge.sigmoid %2 : tensor<1x16x4x4xf32>
  %4 = forge.concatenate %p, %1, %3 axis 1 : (tensor<1x4x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x28x4x4xf32>
  return %4 : tensor<1x28x4x4xf32>
}

// A 1x1 filter is at the centre of a dilated 3x3 window: the merged convolution is dilated.
// CHECK-LABEL: func.func @dilated(
//       CHECK: forge.conv2d %arg0, %{{.+}} stride [1, 1] padding [2, 2, 2, 2] dilation [2, 2] : (tensor<1x4x8x8xf32>, tensor<16x4x3x3xf32>)
//   CHECK-NOT: forge.conv2d %arg0
func.func @dilated(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %v = forge.parameter "v" : tensor<8x4x1x1xf32>
  %w = forge.parameter "w" : tensor<8x4x3x3xf32>
  %u = forge.parameter "u" : tensor<4x16x1x1xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x8x8xf32>
  %1 = forge.conv2d %x, %w stride [1, 1] padding [2, 2, 2, 2] dilation [2, 2] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %2 = forge.concatenate %0, %1 axis -3 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  %3 = forge.conv2d %2, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x16x8x8xf32>, tensor<4x16x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %3 : tensor<1x4x8x8xf32>
}

// A 1x3 and a 3x1 filter are padded with zeros to 3x3, with the padding that keeps the size of each result.
// CHECK-LABEL: func.func @crossed(
//       CHECK: forge.conv2d %arg0, %{{.+}} stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<16x4x3x3xf32>)
func.func @crossed(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %v = forge.parameter "v" : tensor<8x4x1x3xf32>
  %w = forge.parameter "w" : tensor<8x4x3x1xf32>
  %u = forge.parameter "u" : tensor<4x16x1x1xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [0, 1, 0, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x1x3xf32>) -> tensor<1x8x8x8xf32>
  %1 = forge.conv2d %x, %w stride [1, 1] padding [1, 0, 1, 0] : (tensor<1x4x8x8xf32>, tensor<8x4x3x1xf32>) -> tensor<1x8x8x8xf32>
  %2 = forge.concatenate %0, %1 axis 1 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  %3 = forge.conv2d %2, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x16x8x8xf32>, tensor<4x16x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %3 : tensor<1x4x8x8xf32>
}

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

// A chain of 31 ops computes the filters. Padded and concatenated, they would end a chain that is too long to be
// evaluated for the weights file.
// CHECK-LABEL: func.func @long_chain(
// CHECK-COUNT-2: forge.conv2d %arg0
//       CHECK: forge.concatenate
func.func @long_chain(%x: tensor<1x3x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %v = forge.parameter "v" : tensor<4x3x1x1xf32>
  %v0 = forge.add %v, %v : tensor<4x3x1x1xf32>
  %v1 = forge.add %v0, %v0 : tensor<4x3x1x1xf32>
  %v2 = forge.add %v1, %v1 : tensor<4x3x1x1xf32>
  %v3 = forge.add %v2, %v2 : tensor<4x3x1x1xf32>
  %v4 = forge.add %v3, %v3 : tensor<4x3x1x1xf32>
  %v5 = forge.add %v4, %v4 : tensor<4x3x1x1xf32>
  %v6 = forge.add %v5, %v5 : tensor<4x3x1x1xf32>
  %v7 = forge.add %v6, %v6 : tensor<4x3x1x1xf32>
  %v8 = forge.add %v7, %v7 : tensor<4x3x1x1xf32>
  %v9 = forge.add %v8, %v8 : tensor<4x3x1x1xf32>
  %v10 = forge.add %v9, %v9 : tensor<4x3x1x1xf32>
  %v11 = forge.add %v10, %v10 : tensor<4x3x1x1xf32>
  %v12 = forge.add %v11, %v11 : tensor<4x3x1x1xf32>
  %v13 = forge.add %v12, %v12 : tensor<4x3x1x1xf32>
  %v14 = forge.add %v13, %v13 : tensor<4x3x1x1xf32>
  %v15 = forge.add %v14, %v14 : tensor<4x3x1x1xf32>
  %v16 = forge.add %v15, %v15 : tensor<4x3x1x1xf32>
  %v17 = forge.add %v16, %v16 : tensor<4x3x1x1xf32>
  %v18 = forge.add %v17, %v17 : tensor<4x3x1x1xf32>
  %v19 = forge.add %v18, %v18 : tensor<4x3x1x1xf32>
  %v20 = forge.add %v19, %v19 : tensor<4x3x1x1xf32>
  %v21 = forge.add %v20, %v20 : tensor<4x3x1x1xf32>
  %v22 = forge.add %v21, %v21 : tensor<4x3x1x1xf32>
  %v23 = forge.add %v22, %v22 : tensor<4x3x1x1xf32>
  %v24 = forge.add %v23, %v23 : tensor<4x3x1x1xf32>
  %v25 = forge.add %v24, %v24 : tensor<4x3x1x1xf32>
  %v26 = forge.add %v25, %v25 : tensor<4x3x1x1xf32>
  %v27 = forge.add %v26, %v26 : tensor<4x3x1x1xf32>
  %v28 = forge.add %v27, %v27 : tensor<4x3x1x1xf32>
  %v29 = forge.add %v28, %v28 : tensor<4x3x1x1xf32>
  %v30 = forge.add %v29, %v29 : tensor<4x3x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = forge.conv2d %x, %v30 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  %2 = forge.concatenate %0, %1 axis 1 : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %2 : tensor<1x8x8x8xf32>
}

// RUN: forge-opt %s --forge-channels-last | FileCheck %s

// Two convolutions with ops between them: transposes remain at both ends only. A bias that is a weight is reshaped
// accordingly.
// CHECK-LABEL: func.func @chain(
//      CHECK: %[[T0:.+]] = forge.transpose %arg0 dims -3, -2 : (tensor<1x3x8x8xf32>) -> tensor<1x8x3x8xf32>
// CHECK-NEXT: %[[T1:.+]] = forge.transpose %[[T0]] dims -2, -1 : (tensor<1x8x3x8xf32>) -> tensor<1x8x8x3xf32>
//      CHECK: %[[C:.+]] = forge.conv2d %[[T1]], %{{.+}} {{.*}}channel_last {{.*}}-> tensor<1x8x8x4xf32>
//      CHECK: %[[B:.+]] = forge.reshape %{{.+}} shape [1, 1, 1, 4] : (tensor<1x4x1x1xf32>) -> tensor<1x1x1x4xf32>
//      CHECK: %[[A:.+]] = forge.add %[[C]], %[[B]] : {{.*}} -> tensor<1x8x8x4xf32>
//      CHECK: %[[R:.+]] = forge.relu %[[A]]
//      CHECK: %[[P:.+]] = forge.max_pool2d %[[R]] {{.*}}channel_last
//      CHECK: %[[I:.+]] = forge.index %[[P]] dim -1 [0:2] : {{.*}} -> tensor<1x4x4x2xf32>
//      CHECK: %[[J:.+]] = forge.concatenate %[[P]], %[[I]] axis -1 : {{.*}} -> tensor<1x4x4x6xf32>
//      CHECK: %[[D:.+]] = forge.conv2d %[[J]]
//      CHECK: %[[U0:.+]] = forge.transpose %[[D]] dims -2, -1
// CHECK-NEXT: %[[U1:.+]] = forge.transpose %[[U0]] dims -3, -2
//      CHECK: return %[[U1]] : tensor<1x5x4x4xf32>
func.func @chain(%x: tensor<1x3x8x8xf32>) -> tensor<1x5x4x4xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %b = forge.parameter "b" : tensor<1x4x1x1xf32>
  %v = forge.parameter "v" : tensor<5x6x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = forge.add %0, %b : (tensor<1x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %2 = forge.relu %1 : tensor<1x4x8x8xf32>
  %3 = forge.max_pool2d %2 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] dilation 1 : (tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32>
  %4 = forge.index %3 dim 1 [0:2] : (tensor<1x4x4x4xf32>) -> tensor<1x2x4x4xf32>
  %5 = forge.concatenate %3, %4 axis -3 : (tensor<1x4x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %6 = forge.conv2d %5, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x6x4x4xf32>, tensor<5x6x1x1xf32>) -> tensor<1x5x4x4xf32>
  return %6 : tensor<1x5x4x4xf32>
}

// The patches of a vision transformer: merging the spatial axes and the program's transpose become one reshape.
// CHECK-LABEL: func.func @patches(
//      CHECK: %[[C:.+]] = forge.conv2d {{.*}}channel_last {{.*}}-> tensor<1x2x2x16xf32>
// CHECK-NEXT: %[[R:.+]] = forge.reshape %[[C]] shape [1, 4, 16]
// CHECK-NEXT: forge.matmul %[[R]]
func.func @patches(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8xf32> {
  %w = forge.parameter "w" : tensor<16x3x4x4xf32>
  %v = forge.parameter "v" : tensor<16x8xf32>
  %0 = forge.conv2d %x, %w stride [4, 4] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<16x3x4x4xf32>) -> tensor<1x16x2x2xf32>
  %1 = forge.reshape %0 shape [1, 16, 4] : (tensor<1x16x2x2xf32>) -> tensor<1x16x4xf32>
  %2 = forge.transpose %1 dims 1, 2 : (tensor<1x16x4xf32>) -> tensor<1x4x16xf32>
  %3 = forge.matmul %2, %v : (tensor<1x4x16xf32>, tensor<16x8xf32>) -> tensor<1x4x8xf32>
  return %3 : tensor<1x4x8xf32>
}

// A flattened image of one pixel has the same order of elements in both layouts: the reshape needs no transpose.
// CHECK-LABEL: func.func @flatten(
//      CHECK: %[[P:.+]] = forge.avg_pool2d {{.*}}channel_last {{.*}}-> tensor<1x1x1x4xf32>
// CHECK-NEXT: %[[R:.+]] = forge.reshape %[[P]] shape [1, 4] : (tensor<1x1x1x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @flatten(%x: tensor<1x3x8x8xf32>) -> tensor<1x4xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = forge.avg_pool2d %0 kernel_size [8, 8] stride [8, 8] padding [0, 0, 0, 0] count_include_pad : (tensor<1x4x8x8xf32>) -> tensor<1x4x1x1xf32>
  %2 = forge.reshape %1 shape [1, 4] : (tensor<1x4x1x1xf32>) -> tensor<1x4xf32>
  return %2 : tensor<1x4xf32>
}

// The program's transposes from and to channels last cancel with those of the pass.
// CHECK-LABEL: func.func @own_transposes(
//  CHECK-NOT: forge.transpose
//      CHECK: forge.conv2d %arg0, {{.*}}channel_last
//  CHECK-NOT: forge.transpose
//      CHECK: return
func.func @own_transposes(%x: tensor<1x8x8x3xf32>) -> tensor<1x8x8x4xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %0 = forge.transpose %x dims 2, 3 : (tensor<1x8x8x3xf32>) -> tensor<1x8x3x8xf32>
  %1 = forge.transpose %0 dims 1, 2 : (tensor<1x8x3x8xf32>) -> tensor<1x3x8x8xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %3 = forge.transpose %2 dims 1, 2 : (tensor<1x4x8x8xf32>) -> tensor<1x8x4x8xf32>
  %4 = forge.transpose %3 dims 2, 3 : (tensor<1x8x4x8xf32>) -> tensor<1x8x8x4xf32>
  return %4 : tensor<1x8x8x4xf32>
}

// Unchanged: a single convolution, which saves nothing; a function without convolutions; and one that runs on the CPU.
// CHECK-LABEL: func.func @alone(
//  CHECK-NOT: forge.transpose
//  CHECK-NOT: channel_last
func.func @alone(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}

// CHECK-LABEL: func.func @no_window(
//      CHECK: forge.softmax %arg0 dim 1
func.func @no_window(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32> {
  %0 = forge.softmax %x dim 1 stable : tensor<1x3x8x8xf32>
  return %0 : tensor<1x3x8x8xf32>
}

// CHECK-LABEL: func.func @host(
//  CHECK-NOT: channel_last
func.func @host(%x: tensor<1x8x8x3xf32>) -> tensor<1x4x8x8xf32> attributes {forge.partition = "cpu"} {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %0 = forge.transpose %x dims 2, 3 : (tensor<1x8x8x3xf32>) -> tensor<1x8x3x8xf32>
  %1 = forge.transpose %0 dims 1, 2 : (tensor<1x8x3x8xf32>) -> tensor<1x3x8x8xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  return %2 : tensor<1x4x8x8xf32>
}

// A matrix product fixes the meaning of its axes: transposes remain before and after it.
// CHECK-LABEL: func.func @matrix_product(
//      CHECK: %[[C:.+]] = forge.conv2d {{.*}}channel_last
//      CHECK: %[[A:.+]] = forge.transpose %[[C]]
//      CHECK: %[[B:.+]] = forge.transpose %[[A]]
//      CHECK: forge.matmul %[[B]], %{{.+}} : (tensor<1x4x8x8xf32>
//      CHECK: forge.conv2d {{.*}}channel_last
func.func @matrix_product(%x: tensor<1x8x8x3xf32>) -> tensor<1x8x8x4xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %v = forge.parameter "v" : tensor<4x4x3x3xf32>
  %m = forge.parameter "m" : tensor<8x8xf32>
  %0 = forge.transpose %x dims 2, 3 : (tensor<1x8x8x3xf32>) -> tensor<1x8x3x8xf32>
  %1 = forge.transpose %0 dims 1, 2 : (tensor<1x8x3x8xf32>) -> tensor<1x3x8x8xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %3 = forge.matmul %2, %m : (tensor<1x4x8x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8x8xf32>
  %4 = forge.conv2d %3, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  %5 = forge.transpose %4 dims 1, 2 : (tensor<1x4x8x8xf32>) -> tensor<1x8x4x8xf32>
  %6 = forge.transpose %5 dims 2, 3 : (tensor<1x8x4x8xf32>) -> tensor<1x8x8x4xf32>
  return %6 : tensor<1x8x8x4xf32>
}

// A channel shuffle splits and merges the trailing axis.
// CHECK-LABEL: func.func @shuffle(
//       CHECK: %[[C:.+]] = forge.conv2d {{.*}}channel_last {{.*}}-> tensor<1x8x8x6xf32>
//  CHECK-NEXT: %[[P:.+]] = forge.reshape %[[C]] shape [1, 8, 8, 2, 3] : (tensor<1x8x8x6xf32>) -> tensor<1x8x8x2x3xf32>
//  CHECK-NEXT: %[[T:.+]] = forge.transpose %[[P]] dims -2, -1 : (tensor<1x8x8x2x3xf32>) -> tensor<1x8x8x3x2xf32>
//  CHECK-NEXT: %[[J:.+]] = forge.reshape %[[T]] shape [1, 8, 8, 6] : (tensor<1x8x8x3x2xf32>) -> tensor<1x8x8x6xf32>
//  CHECK-NEXT: forge.conv2d %[[J]]
func.func @shuffle(%x: tensor<1x3x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %w = forge.parameter "w" : tensor<6x3x3x3xf32>
  %v = forge.parameter "v" : tensor<2x6x3x3xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<6x3x3x3xf32>) -> tensor<1x6x8x8xf32>
  %1 = forge.reshape %0 shape [1, 2, 3, 8, 8] : (tensor<1x6x8x8xf32>) -> tensor<1x2x3x8x8xf32>
  %2 = forge.transpose %1 dims -4, -3 : (tensor<1x2x3x8x8xf32>) -> tensor<1x3x2x8x8xf32>
  %3 = forge.reshape %2 shape [1, 6, 8, 8] : (tensor<1x3x2x8x8xf32>) -> tensor<1x6x8x8xf32>
  %4 = forge.conv2d %3, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x6x8x8xf32>, tensor<2x6x3x3xf32>) -> tensor<1x2x8x8xf32>
  return %4 : tensor<1x2x8x8xf32>
}

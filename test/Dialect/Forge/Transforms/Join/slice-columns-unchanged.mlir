// RUN: forge-opt %s --forge-join-slices -split-input-file | FileCheck %s

// What is not sliced as columns.

// Something else reads all heads.
// CHECK-LABEL: func.func @heads_are_read_too(
// CHECK: forge.transpose
// CHECK-COUNT-2: forge.index
func.func @heads_are_read_too(%arg: tensor<64x49x288xf32>) -> (tensor<64x3x49x32xf32>, tensor<64x6x49x32xf32>, tensor<64x9x49x32xf32>) {
  %x = forge.tanh %arg : tensor<64x49x288xf32>
  %0 = forge.reshape %x shape [64, 49, 9, 32] : (tensor<64x49x288xf32>) -> tensor<64x49x9x32xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<64x49x9x32xf32>) -> tensor<64x9x49x32xf32>
  %a = forge.index %1 dim -3 [0:3] : (tensor<64x9x49x32xf32>) -> tensor<64x3x49x32xf32>
  %b = forge.index %1 dim -3 [3:9] : (tensor<64x9x49x32xf32>) -> tensor<64x6x49x32xf32>
  %r = forge.relu %1 : tensor<64x9x49x32xf32>
  return %a, %b, %r : tensor<64x3x49x32xf32>, tensor<64x6x49x32xf32>, tensor<64x9x49x32xf32>
}

// -----

// The reshape has a second user, here an output.
// CHECK-LABEL: func.func @reshape_is_read_too(
// CHECK: forge.transpose
// CHECK-COUNT-2: forge.index
func.func @reshape_is_read_too(%arg: tensor<64x49x288xf32>) -> (tensor<64x3x49x32xf32>, tensor<64x6x49x32xf32>, tensor<64x49x9x32xf32>) {
  %x = forge.tanh %arg : tensor<64x49x288xf32>
  %0 = forge.reshape %x shape [64, 49, 9, 32] : (tensor<64x49x288xf32>) -> tensor<64x49x9x32xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<64x49x9x32xf32>) -> tensor<64x9x49x32xf32>
  %a = forge.index %1 dim -3 [0:3] : (tensor<64x9x49x32xf32>) -> tensor<64x3x49x32xf32>
  %b = forge.index %1 dim -3 [3:9] : (tensor<64x9x49x32xf32>) -> tensor<64x6x49x32xf32>
  return %a, %b, %0 : tensor<64x3x49x32xf32>, tensor<64x6x49x32xf32>, tensor<64x49x9x32xf32>
}

// -----

// Every second head.
// CHECK-LABEL: func.func @other_slices(
// CHECK-COUNT-2: forge.index
func.func @other_slices(%arg: tensor<64x49x288xf32>) -> (tensor<64x5x49x32xf32>, tensor<64x6x49x32xf32>) {
  %x = forge.tanh %arg : tensor<64x49x288xf32>
  %0 = forge.reshape %x shape [64, 49, 9, 32] : (tensor<64x49x288xf32>) -> tensor<64x49x9x32xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<64x49x9x32xf32>) -> tensor<64x9x49x32xf32>
  %a = forge.index %1 dim -3 [0:9:2] : (tensor<64x9x49x32xf32>) -> tensor<64x5x49x32xf32>
  %b = forge.index %1 dim -3 [3:9] : (tensor<64x9x49x32xf32>) -> tensor<64x6x49x32xf32>
  return %a, %b : tensor<64x5x49x32xf32>, tensor<64x6x49x32xf32>
}

// -----

// CHECK-LABEL: func.func @another_axis(
// CHECK-COUNT-2: forge.index
func.func @another_axis(%arg: tensor<64x49x288xf32>) -> (tensor<64x9x20x32xf32>, tensor<64x9x29x32xf32>) {
  %x = forge.tanh %arg : tensor<64x49x288xf32>
  %0 = forge.reshape %x shape [64, 49, 9, 32] : (tensor<64x49x288xf32>) -> tensor<64x49x9x32xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<64x49x9x32xf32>) -> tensor<64x9x49x32xf32>
  %a = forge.index %1 dim -2 [0:20] : (tensor<64x9x49x32xf32>) -> tensor<64x9x20x32xf32>
  %b = forge.index %1 dim -2 [20:49] : (tensor<64x9x49x32xf32>) -> tensor<64x9x29x32xf32>
  return %a, %b : tensor<64x9x20x32xf32>, tensor<64x9x29x32xf32>
}

// -----

// CHECK-LABEL: func.func @another_transpose(
// CHECK-COUNT-2: forge.index
func.func @another_transpose(%arg: tensor<64x49x288xf32>) -> (tensor<9x20x64x32xf32>, tensor<9x29x64x32xf32>) {
  %x = forge.tanh %arg : tensor<64x49x288xf32>
  %0 = forge.reshape %x shape [64, 49, 9, 32] : (tensor<64x49x288xf32>) -> tensor<64x49x9x32xf32>
  %1 = forge.transpose %0 dims 0, 2 : (tensor<64x49x9x32xf32>) -> tensor<9x49x64x32xf32>
  %a = forge.index %1 dim -3 [0:20] : (tensor<9x49x64x32xf32>) -> tensor<9x20x64x32xf32>
  %b = forge.index %1 dim -3 [20:49] : (tensor<9x49x64x32xf32>) -> tensor<9x29x64x32xf32>
  return %a, %b : tensor<9x20x64x32xf32>, tensor<9x29x64x32xf32>
}

// -----

// One image: the launches of four more calls take longer than the bytes that they save.
// CHECK-LABEL: func.func @small(
// CHECK: forge.transpose
// CHECK-COUNT-3: forge.index
func.func @small(%arg: tensor<1x49x288xf32>) -> (tensor<1x3x49x32xf32>, tensor<1x3x49x32xf32>, tensor<1x3x49x32xf32>) {
  %x = forge.tanh %arg : tensor<1x49x288xf32>
  %0 = forge.reshape %x shape [1, 49, 9, 32] : (tensor<1x49x288xf32>) -> tensor<1x49x9x32xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<1x49x9x32xf32>) -> tensor<1x9x49x32xf32>
  %q = forge.index %1 dim -3 [0:3] : (tensor<1x9x49x32xf32>) -> tensor<1x3x49x32xf32>
  %k = forge.index %1 dim -3 [3:6] : (tensor<1x9x49x32xf32>) -> tensor<1x3x49x32xf32>
  %v = forge.index %1 dim -3 [6:9] : (tensor<1x9x49x32xf32>) -> tensor<1x3x49x32xf32>
  return %q, %k, %v : tensor<1x3x49x32xf32>, tensor<1x3x49x32xf32>, tensor<1x3x49x32xf32>
}

// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// max_pool1d (C1).
func.func @invalid(%arg0: tensor<2x8xf32>) {
  // expected-error @+2 {{'forge.max_pool1d' op (C1) expected rank 3 or more, but got 'tensor<2x8xf32>'}}
  // expected-error @+1 {{'forge.max_pool1d' op failed to infer returned types}}
  %0 = forge.max_pool1d %arg0 kernel_size 2 stride 2 padding 0 : (tensor<2x8xf32>) -> tensor<2x4xf32>
  return
}

// -----

// max_pool1d (C2): dilation.
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.max_pool1d' op (C2) expected dilation 1, no ceil_mode, no return_indices, positive sizes}}
  // expected-error @+1 {{'forge.max_pool1d' op failed to infer returned types}}
  %0 = forge.max_pool1d %arg0 kernel_size 2 stride 2 padding 0 dilation 2 : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

// max_pool1d (C2): ceil_mode.
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.max_pool1d' op (C2) expected dilation 1, no ceil_mode, no return_indices, positive sizes}}
  // expected-error @+1 {{'forge.max_pool1d' op failed to infer returned types}}
  %0 = forge.max_pool1d %arg0 kernel_size 2 stride 2 padding 0 ceil_mode : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

// max_pool1d (C2): return_indices.
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.max_pool1d' op (C2) expected dilation 1, no ceil_mode, no return_indices, positive sizes}}
  // expected-error @+1 {{'forge.max_pool1d' op failed to infer returned types}}
  %0 = forge.max_pool1d %arg0 kernel_size 2 stride 2 padding 0 return_indices : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

// max_pool1d (C2): stride 0.
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.max_pool1d' op (C2) expected dilation 1, no ceil_mode, no return_indices, positive sizes}}
  // expected-error @+1 {{'forge.max_pool1d' op failed to infer returned types}}
  %0 = forge.max_pool1d %arg0 kernel_size 2 stride 0 padding 0 : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

// max_pool1d (C3).
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.max_pool1d' op (C3) expected a window that fits, but got 9 in 8 padded by 0}}
  // expected-error @+1 {{'forge.max_pool1d' op failed to infer returned types}}
  %0 = forge.max_pool1d %arg0 kernel_size 9 stride 1 padding 0 : (tensor<1x2x8xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

// max_pool2d (C1): an operand that is not floating point.
func.func @invalid(%arg0: tensor<1x2x8x9xi32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C1) expected a floating-point operand, but got 'tensor<1x2x8x9xi32>'}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x2x8x9xi32>) -> tensor<1x2x4x4xi32>
  return
}

// -----

// max_pool2d (C1): rank.
func.func @invalid(%arg0: tensor<2x8x9xf32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C1) expected 'activations' of rank 4, but got 'tensor<2x8x9xf32>'}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// max_pool2d (C2): kernel.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C2) expected 'kernel_size' with 2 values of at least 1, but got [2]}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// max_pool2d (C2): stride.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C2) expected 'stride' with 2 values of at least 1, but got [2, 0]}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 0] padding [0, 0, 0, 0] : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// max_pool2d (C2): padding.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C2) expected 'padding' with 4 values of at least 0, but got [0, 0]}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0] : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// max_pool2d (C3): different padding on the left and on the right.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C3) expected symmetric 'padding' [left, right, top, bottom], but got [0, 1, 0, 0]}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 1, 0, 0] : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// max_pool2d (C3): different padding at the top and at the bottom.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C3) expected symmetric 'padding' [left, right, top, bottom], but got [0, 0, 1, 0]}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 1, 0] : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// max_pool2d (C4): dilation.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C4) expected dilation 1 and no return_indices}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] dilation 2 : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// max_pool2d (C4): return_indices.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C4) expected dilation 1 and no return_indices}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] return_indices : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// max_pool2d (C5): a window larger than the padded operand.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C5) expected a window that fits, but got 9 in 8 padded by 0}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [9, 2] stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// max_pool2d (C5): a window that starts after the end of the operand.
func.func @invalid(%arg0: tensor<1x1x4x4xf32>) {
  // expected-error @+2 {{'forge.max_pool2d' op (C5) expected every window of 'ceil_mode' to start inside the input, but got 3 windows of stride 3 on size 4}}
  // expected-error @+1 {{'forge.max_pool2d' op failed to infer returned types}}
  %0 = forge.max_pool2d %arg0 kernel_size [2, 2] stride [3, 5] padding [1, 1, 1, 1] ceil_mode : (tensor<1x1x4x4xf32>) -> tensor<1x1x3x2xf32>
  return
}

// -----

// avg_pool1d (C1): an operand that is not floating point.
func.func @invalid(%arg0: tensor<1x2x8xi32>) {
  // expected-error @+2 {{'forge.avg_pool1d' op (C1) expected a floating-point operand, but got 'tensor<1x2x8xi32>'}}
  // expected-error @+1 {{'forge.avg_pool1d' op failed to infer returned types}}
  %0 = forge.avg_pool1d %arg0 kernel_size 8 stride 1 padding 0 count_include_pad : (tensor<1x2x8xi32>) -> tensor<1x2x1xi32>
  return
}

// -----

// avg_pool1d (C1): rank.
func.func @invalid(%arg0: tensor<2x8xf32>) {
  // expected-error @+2 {{'forge.avg_pool1d' op (C1) expected rank 3, but got 'tensor<2x8xf32>'}}
  // expected-error @+1 {{'forge.avg_pool1d' op failed to infer returned types}}
  %0 = forge.avg_pool1d %arg0 kernel_size 8 stride 1 padding 0 count_include_pad : (tensor<2x8xf32>) -> tensor<2x1xf32>
  return
}

// -----

// avg_pool1d (C2).
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.avg_pool1d' op (C2) expected a window over the whole last axis, but got 4 on 'tensor<1x2x8xf32>'}}
  // expected-error @+1 {{'forge.avg_pool1d' op failed to infer returned types}}
  %0 = forge.avg_pool1d %arg0 kernel_size 4 stride 1 padding 0 count_include_pad : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  return
}

// -----

// avg_pool1d (C3): padding.
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.avg_pool1d' op (C3) expected no padding, no ceil_mode and a positive stride}}
  // expected-error @+1 {{'forge.avg_pool1d' op failed to infer returned types}}
  %0 = forge.avg_pool1d %arg0 kernel_size 8 stride 1 padding 1 count_include_pad : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  return
}

// -----

// avg_pool1d (C3): ceil_mode.
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.avg_pool1d' op (C3) expected no padding, no ceil_mode and a positive stride}}
  // expected-error @+1 {{'forge.avg_pool1d' op failed to infer returned types}}
  %0 = forge.avg_pool1d %arg0 kernel_size 8 stride 1 padding 0 ceil_mode count_include_pad : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  return
}

// -----

// avg_pool2d (C1).
func.func @invalid(%arg0: tensor<1x2x8x9xi32>) {
  // expected-error @+2 {{'forge.avg_pool2d' op (C1) expected a floating-point operand, but got 'tensor<1x2x8x9xi32>'}}
  // expected-error @+1 {{'forge.avg_pool2d' op failed to infer returned types}}
  %0 = forge.avg_pool2d %arg0 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] count_include_pad : (tensor<1x2x8x9xi32>) -> tensor<1x2x4x4xi32>
  return
}

// -----

// avg_pool2d (C2).
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.avg_pool2d' op (C2) expected 'kernel_size' with 2 values of at least 1, but got [2, 0]}}
  // expected-error @+1 {{'forge.avg_pool2d' op failed to infer returned types}}
  %0 = forge.avg_pool2d %arg0 kernel_size [2, 0] stride [2, 2] padding [0, 0, 0, 0] count_include_pad : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// avg_pool2d (C3): different padding of height and width.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.avg_pool2d' op (C3) expected four equal pads, but got [1, 1, 0, 0]}}
  // expected-error @+1 {{'forge.avg_pool2d' op failed to infer returned types}}
  %0 = forge.avg_pool2d %arg0 kernel_size [4, 4] stride [2, 2] padding [1, 1, 0, 0] count_include_pad : (tensor<1x2x8x9xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

// avg_pool2d (C3): different padding on the left and on the right.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.avg_pool2d' op (C3) expected symmetric 'padding' [left, right, top, bottom], but got [1, 0, 1, 0]}}
  // expected-error @+1 {{'forge.avg_pool2d' op failed to infer returned types}}
  %0 = forge.avg_pool2d %arg0 kernel_size [4, 4] stride [2, 2] padding [1, 0, 1, 0] count_include_pad : (tensor<1x2x8x9xf32>) -> tensor<1x2x3x4xf32>
  return
}

// -----

// avg_pool2d (C4): a window larger than the padded operand.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.avg_pool2d' op (C4) expected a window that fits, but got 9 in 8 padded by 0}}
  // expected-error @+1 {{'forge.avg_pool2d' op failed to infer returned types}}
  %0 = forge.avg_pool2d %arg0 kernel_size [9, 2] stride [2, 2] padding [0, 0, 0, 0] count_include_pad : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// avg_pool2d (C4): a window that starts after the end of the operand.
func.func @invalid(%arg0: tensor<1x1x4x4xf32>) {
  // expected-error @+2 {{'forge.avg_pool2d' op (C4) expected every window of 'ceil_mode' to start inside the input, but got 3 windows of stride 3 on size 4}}
  // expected-error @+1 {{'forge.avg_pool2d' op failed to infer returned types}}
  %0 = forge.avg_pool2d %arg0 kernel_size [2, 2] stride [3, 5] padding [1, 1, 1, 1] ceil_mode count_include_pad : (tensor<1x1x4x4xf32>) -> tensor<1x1x3x2xf32>
  return
}

// -----

// avg_pool2d (C5).
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.avg_pool2d' op (C5) expected pads of at most half the window, but got [2, 2, 2, 2] for [3, 4]}}
  // expected-error @+1 {{'forge.avg_pool2d' op failed to infer returned types}}
  %0 = forge.avg_pool2d %arg0 kernel_size [3, 4] stride [1, 1] padding [2, 2, 2, 2] count_include_pad : (tensor<1x2x8x9xf32>) -> tensor<1x2x10x10xf32>
  return
}

// -----

// avg_pool1d (C1): rank 4.
func.func @invalid(%arg0: tensor<1x1x2x8xf32>) {
  // expected-error @+2 {{'forge.avg_pool1d' op (C1) expected rank 3, but got 'tensor<1x1x2x8xf32>'}}
  // expected-error @+1 {{'forge.avg_pool1d' op failed to infer returned types}}
  %0 = forge.avg_pool1d %arg0 kernel_size 8 stride 1 padding 0 : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x1xf32>
  return
}

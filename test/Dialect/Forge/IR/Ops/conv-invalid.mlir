// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// conv2d (C1): element types.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf16>) {
  // expected-error @+2 {{'forge.conv2d' op (C1) expected operands of element type 'f32', but got 'tensor<6x4x3x3xf16>'}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf16>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C1): rank of the activations.
func.func @invalid(%arg0: tensor<4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C1) expected 'activations' of rank 4, but got 'tensor<4x8x8xf32>'}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] : (tensor<4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C1): rank of the weights.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C1) expected 'weights' of rank 4, but got 'tensor<6x4x3xf32>'}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C2): stride.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C2) expected 'stride' with 2 values of at least 1, but got [0, 1]}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [0, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C2): dilation.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C2) expected 'dilation' with 2 values of at least 1, but got [1]}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] dilation [1] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C2): padding.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C2) expected 'padding' with 4 values of at least 0, but got [0, 0]}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C2): negative padding.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C2) expected 'padding' with 4 values of at least 0, but got [0, 0, -1, 0]}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, -1, 0] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C3): zero groups.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C3) expected weights (Cout, 4/groups, kH, kW) with groups dividing both, but got 'tensor<6x4x3x3xf32>' and groups 0}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] groups 0 : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C3): a number of groups that does not divide the channels.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C3) expected weights (Cout, 4/groups, kH, kW) with groups dividing both, but got 'tensor<6x4x3x3xf32>' and groups 3}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] groups 3 : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C3): weights with another number of channels.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C3) expected weights (Cout, 4/groups, kH, kW) with groups dividing both, but got 'tensor<6x4x3x3xf32>' and groups 2}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] groups 2 : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C4).
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>, %arg2: tensor<4xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C4) expected a bias of 6 elements in its last axis, but got 'tensor<4xf32>'}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1, %arg2 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<4xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C4): all elements of the bias have to be in the last axis.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>, %arg2: tensor<6x1xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C4) expected a bias of 6 elements in its last axis, but got 'tensor<6x1xf32>'}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1, %arg2 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<6x1xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C5).
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C5) expected a window that fits, but got 9 in 8 padded by 0}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] dilation [4, 1] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d: a dilation beyond 32 bits.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{'forge.conv2d' op attribute 'dilation' does not fit 32 bits: 9223372036854775807}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] dilation [9223372036854775807, 1] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d: a stride beyond 32 bits.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+1 {{'forge.conv2d' op attribute 'stride' does not fit 32 bits: 4294967296}}
  %0 = forge.conv2d %arg0, %arg1 stride [4294967296, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x1x6xf32>
  return
}

// -----

// conv2d_transpose (C1).
func.func @invalid(%arg0: tensor<4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d_transpose' op (C1) expected 'activations' of rank 4, but got 'tensor<4x8x8xf32>'}}
  // expected-error @+1 {{'forge.conv2d_transpose' op failed to infer returned types}}
  %0 = forge.conv2d_transpose %arg0, %arg1 stride [1, 1] padding [0, 0] : (tensor<4x8x8xf32>, tensor<4x6x3x3xf32>) -> tensor<1x6x10x10xf32>
  return
}

// -----

// conv2d_transpose (C2).
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d_transpose' op (C2) expected 'padding' with 2 values of at least 0, but got [0, 0, 0, 0]}}
  // expected-error @+1 {{'forge.conv2d_transpose' op failed to infer returned types}}
  %0 = forge.conv2d_transpose %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>) -> tensor<1x6x10x10xf32>
  return
}

// -----

// conv2d_transpose (C2): output_padding.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d_transpose' op (C2) expected 'output_padding' with 2 values of at least 0, but got [0]}}
  // expected-error @+1 {{'forge.conv2d_transpose' op failed to infer returned types}}
  %0 = forge.conv2d_transpose %arg0, %arg1 stride [1, 1] padding [0, 0] output_padding [0] : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>) -> tensor<1x6x10x10xf32>
  return
}

// -----

// conv2d_transpose (C3): channels.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d_transpose' op (C3) expected weights (4, Cout/groups, kH, kW) with groups dividing 4, but got 'tensor<6x4x3x3xf32>' and groups 1}}
  // expected-error @+1 {{'forge.conv2d_transpose' op failed to infer returned types}}
  %0 = forge.conv2d_transpose %arg0, %arg1 stride [1, 1] padding [0, 0] : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x10x10xf32>
  return
}

// -----

// conv2d_transpose (C3): groups.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d_transpose' op (C3) expected weights (4, Cout/groups, kH, kW) with groups dividing 4, but got 'tensor<4x6x3x3xf32>' and groups 0}}
  // expected-error @+1 {{'forge.conv2d_transpose' op failed to infer returned types}}
  %0 = forge.conv2d_transpose %arg0, %arg1 stride [1, 1] padding [0, 0] groups 0 : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>) -> tensor<1x6x10x10xf32>
  return
}

// -----

// conv2d_transpose (C4).
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>, %arg2: tensor<4xf32>) {
  // expected-error @+2 {{'forge.conv2d_transpose' op (C4) expected a bias of 6 elements in its last axis, but got 'tensor<4xf32>'}}
  // expected-error @+1 {{'forge.conv2d_transpose' op failed to infer returned types}}
  %0 = forge.conv2d_transpose %arg0, %arg1, %arg2 stride [1, 1] padding [0, 0] : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>, tensor<4xf32>) -> tensor<1x6x10x10xf32>
  return
}

// -----

// conv2d_transpose (C5).
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d_transpose' op (C5) expected a result that is not empty, but got size -8}}
  // expected-error @+1 {{'forge.conv2d_transpose' op failed to infer returned types}}
  %0 = forge.conv2d_transpose %arg0, %arg1 stride [1, 1] padding [9, 9] : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>) -> tensor<1x6x10x10xf32>
  return
}

// -----

// conv2d_transpose: a stride beyond 32 bits.
func.func @invalid(%arg0: tensor<1x4x1x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  // expected-error @+1 {{'forge.conv2d_transpose' op attribute 'stride' does not fit 32 bits: 4294967296}}
  %0 = forge.conv2d_transpose %arg0, %arg1 stride [4294967296, 1] padding [0, 0] : (tensor<1x4x1x8xf32>, tensor<4x6x3x3xf32>) -> tensor<1x6x3x10xf32>
  return
}

// -----

// conv2d_transpose (C2): an output_padding that is not less than stride or dilation.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d_transpose' op (C2) expected an 'output_padding' below the stride or the dilation, 1, but got 1}}
  // expected-error @+1 {{'forge.conv2d_transpose' op failed to infer returned types}}
  %0 = forge.conv2d_transpose %arg0, %arg1 stride [2, 1] padding [0, 0] output_padding [1, 1] : (tensor<1x4x8x8xf32>, tensor<4x6x3x3xf32>) -> tensor<1x6x18x11xf32>
  return
}

// -----

// conv2d_transpose (C5): an empty operand of a result that is not.
func.func @invalid(%arg0: tensor<1x4x0x8xf32>, %arg1: tensor<4x6x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d_transpose' op (C5) expected operands with elements, but got 'tensor<1x4x0x8xf32>'}}
  // expected-error @+1 {{'forge.conv2d_transpose' op failed to infer returned types}}
  %0 = forge.conv2d_transpose %arg0, %arg1 stride [1, 1] padding [0, 0] : (tensor<1x4x0x8xf32>, tensor<4x6x3x3xf32>) -> tensor<1x6x2x10xf32>
  return
}

// -----

// conv2d (C5): no channels.
func.func @invalid(%arg0: tensor<1x0x8x8xf32>, %arg1: tensor<6x0x3x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C5) expected operands with elements, but got 'tensor<6x0x3x3xf32>'}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x0x8x8xf32>, tensor<6x0x3x3xf32>) -> tensor<1x6x6x6xf32>
  return
}

// -----

// conv2d (C5): a window without elements.
func.func @invalid(%arg0: tensor<1x4x8x8xf32>, %arg1: tensor<6x4x0x3xf32>) {
  // expected-error @+2 {{'forge.conv2d' op (C5) expected operands with elements, but got 'tensor<6x4x0x3xf32>'}}
  // expected-error @+1 {{'forge.conv2d' op failed to infer returned types}}
  %0 = forge.conv2d %arg0, %arg1 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<6x4x0x3xf32>) -> tensor<1x6x9x6xf32>
  return
}

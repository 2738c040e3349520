// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// resize1d (C1): rank.
func.func @invalid(%arg0: tensor<2x8xf32>) {
  // expected-error @+2 {{'forge.resize1d' op (C1) expected rank 3 and a positive size, but got 'tensor<2x8xf32>' and 4}}
  // expected-error @+1 {{'forge.resize1d' op failed to infer returned types}}
  %0 = forge.resize1d %arg0 size 4 mode nearest : (tensor<2x8xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

// resize1d (C1): size.
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.resize1d' op (C1) expected rank 3 and a positive size, but got 'tensor<1x2x8xf32>' and 0}}
  // expected-error @+1 {{'forge.resize1d' op failed to infer returned types}}
  %0 = forge.resize1d %arg0 size 0 mode nearest : (tensor<1x2x8xf32>) -> tensor<1x2x0xf32>
  return
}

// -----

// resize1d (C2): align_corners.
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.resize1d' op (C2) expected linear without align_corners to a multiple of the width, but got 16}}
  // expected-error @+1 {{'forge.resize1d' op failed to infer returned types}}
  %0 = forge.resize1d %arg0 size 16 mode linear align_corners : (tensor<1x2x8xf32>) -> tensor<1x2x16xf32>
  return
}

// -----

// resize1d (C2): a size that is not a multiple.
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+2 {{'forge.resize1d' op (C2) expected linear without align_corners to a multiple of the width, but got 12}}
  // expected-error @+1 {{'forge.resize1d' op failed to infer returned types}}
  %0 = forge.resize1d %arg0 size 12 mode linear : (tensor<1x2x8xf32>) -> tensor<1x2x12xf32>
  return
}

// -----

// resize1d has two modes.
func.func @invalid(%arg0: tensor<1x2x8xf32>) {
  // expected-error @+1 {{'forge.resize1d' op attribute 'mode' failed to satisfy constraint: string attribute one of 'nearest', 'linear'}}
  %0 = forge.resize1d %arg0 size 16 mode cubic : (tensor<1x2x8xf32>) -> tensor<1x2x16xf32>
  return
}

// -----

// resize2d (C1): rank.
func.func @invalid(%arg0: tensor<2x8x9xf32>) {
  // expected-error @+2 {{'forge.resize2d' op (C1) expected 'operandA' of rank 4, but got 'tensor<2x8x9xf32>'}}
  // expected-error @+1 {{'forge.resize2d' op failed to infer returned types}}
  %0 = forge.resize2d %arg0 sizes [4, 4] mode nearest : (tensor<2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// resize2d (C1): sizes.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.resize2d' op (C1) expected 'sizes' with 2 values of at least 1, but got [4]}}
  // expected-error @+1 {{'forge.resize2d' op failed to infer returned types}}
  %0 = forge.resize2d %arg0 sizes [4] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// resize2d (C2): align_corners.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.resize2d' op (C2) expected bilinear without align_corners to multiples of the sizes, but got [16, 18] from 'tensor<1x2x8x9xf32>'}}
  // expected-error @+1 {{'forge.resize2d' op failed to infer returned types}}
  %0 = forge.resize2d %arg0 sizes [16, 18] mode bilinear align_corners : (tensor<1x2x8x9xf32>) -> tensor<1x2x16x18xf32>
  return
}

// -----

// resize2d (C2): sizes that are not multiples.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.resize2d' op (C2) expected bilinear without align_corners to multiples of the sizes, but got [16, 10] from 'tensor<1x2x8x9xf32>'}}
  // expected-error @+1 {{'forge.resize2d' op failed to infer returned types}}
  %0 = forge.resize2d %arg0 sizes [16, 10] mode bilinear : (tensor<1x2x8x9xf32>) -> tensor<1x2x16x10xf32>
  return
}

// -----

// resize2d has two modes.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+1 {{'forge.resize2d' op attribute 'mode' failed to satisfy constraint: string attribute one of 'nearest', 'bilinear'}}
  %0 = forge.resize2d %arg0 sizes [16, 18] mode linear : (tensor<1x2x8x9xf32>) -> tensor<1x2x16x18xf32>
  return
}

// -----

// upsample2d (C1): rank.
func.func @invalid(%arg0: tensor<2x8x9xf32>) {
  // expected-error @+2 {{'forge.upsample2d' op (C1) expected 'operandA' of rank 4, but got 'tensor<2x8x9xf32>'}}
  // expected-error @+1 {{'forge.upsample2d' op failed to infer returned types}}
  %0 = forge.upsample2d %arg0 scale_factor [2, 2] mode nearest : (tensor<2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// upsample2d (C1): factors.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.upsample2d' op (C1) expected 'scale_factor' with 2 values of at least 1, but got [2, 0]}}
  // expected-error @+1 {{'forge.upsample2d' op failed to infer returned types}}
  %0 = forge.upsample2d %arg0 scale_factor [2, 0] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// upsample2d (C1): beyond 64 bits.
func.func @invalid(%arg0: tensor<1x1x9223372036854775807x1xf32>) {
  // expected-error @+2 {{'forge.upsample2d' op (C1) expected factors that fit 'tensor<1x1x9223372036854775807x1xf32>', but got [2, 1]}}
  // expected-error @+1 {{'forge.upsample2d' op failed to infer returned types}}
  %0 = forge.upsample2d %arg0 scale_factor [2, 1] mode nearest : (tensor<1x1x9223372036854775807x1xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

// downsample2d (C1): factors that do not divide.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.downsample2d' op (C1) expected factors that fit 'tensor<1x2x8x9xf32>', but got [3, 3]}}
  // expected-error @+1 {{'forge.downsample2d' op failed to infer returned types}}
  %0 = forge.downsample2d %arg0 scale_factor [3, 3] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// downsample2d (C1): factors.
func.func @invalid(%arg0: tensor<1x2x8x9xf32>) {
  // expected-error @+2 {{'forge.downsample2d' op (C1) expected 'scale_factor' with 2 values of at least 1, but got [0, 3]}}
  // expected-error @+1 {{'forge.downsample2d' op failed to infer returned types}}
  %0 = forge.downsample2d %arg0 scale_factor [0, 3] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x3xf32>
  return
}

// -----

// resize1d (C1): integers.
func.func @invalid(%arg0: tensor<1x2x8xi32>) {
  // expected-error @+2 {{'forge.resize1d' op (C1) expected a floating-point operand, but got 'tensor<1x2x8xi32>'}}
  // expected-error @+1 {{'forge.resize1d' op failed to infer returned types}}
  %0 = forge.resize1d %arg0 size 16 mode nearest : (tensor<1x2x8xi32>) -> tensor<1x2x16xi32>
  return
}

// -----

// resize2d (C1): integers.
func.func @invalid(%arg0: tensor<1x2x8x8xi32>) {
  // expected-error @+2 {{'forge.resize2d' op (C1) expected a floating-point operand, but got 'tensor<1x2x8x8xi32>'}}
  // expected-error @+1 {{'forge.resize2d' op failed to infer returned types}}
  %0 = forge.resize2d %arg0 sizes [16, 16] mode nearest : (tensor<1x2x8x8xi32>) -> tensor<1x2x16x16xi32>
  return
}

// -----

// upsample2d (C1): integers.
func.func @invalid(%arg0: tensor<1x2x8x8xi32>) {
  // expected-error @+2 {{'forge.upsample2d' op (C1) expected a floating-point operand, but got 'tensor<1x2x8x8xi32>'}}
  // expected-error @+1 {{'forge.upsample2d' op failed to infer returned types}}
  %0 = forge.upsample2d %arg0 scale_factor [2, 2] mode nearest : (tensor<1x2x8x8xi32>) -> tensor<1x2x16x16xi32>
  return
}

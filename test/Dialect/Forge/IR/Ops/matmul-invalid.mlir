// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// matmul (C1).
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xi32>) {
  // expected-error @+2 {{'forge.matmul' op (C1) expected operands of element type 'f32', but got 'tensor<3x4xi32>'}}
  // expected-error @+1 {{'forge.matmul' op failed to infer returned types}}
  %0 = forge.matmul %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xi32>) -> tensor<2x4xf32>
  return
}

// -----

// matmul (C1): the bias, too, has f32 or the 16-bit type of the other operand.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xbf16>, %arg2: tensor<4xf16>) {
  // expected-error @+2 {{'forge.matmul' op (C1) expected operands of element type 'f32' or 'bf16', but got 'tensor<4xf16>'}}
  // expected-error @+1 {{'forge.matmul' op failed to infer returned types}}
  %0 = forge.matmul %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<3x4xbf16>, tensor<4xf16>) -> tensor<2x4xf32>
  return
}

// -----

// matmul (C2).
func.func @invalid(%arg0: tensor<f32>, %arg1: tensor<3x4xf32>) {
  // expected-error @+2 {{'forge.matmul' op (C2) expected operands of rank 1 or more, but got 'tensor<f32>' and 'tensor<3x4xf32>'}}
  // expected-error @+1 {{'forge.matmul' op failed to infer returned types}}
  %0 = forge.matmul %arg0, %arg1 : (tensor<f32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

// matmul (C3).
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<4x3xf32>) {
  // expected-error @+2 {{'forge.matmul' op (C3) expected equal contracted sizes, but got 'tensor<2x3xf32>' and 'tensor<4x3xf32>'}}
  // expected-error @+1 {{'forge.matmul' op failed to infer returned types}}
  %0 = forge.matmul %arg0, %arg1 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// matmul (C4).
func.func @invalid(%arg0: tensor<2x2x3xf32>, %arg1: tensor<3x3x4xf32>) {
  // expected-error @+2 {{'forge.matmul' op (C4) shapes [2] and [3] do not broadcast}}
  // expected-error @+1 {{'forge.matmul' op failed to infer returned types}}
  %0 = forge.matmul %arg0, %arg1 : (tensor<2x2x3xf32>, tensor<3x3x4xf32>) -> tensor<2x2x4xf32>
  return
}

// -----

// matmul (C5): a bias that does not broadcast.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3xf32>) {
  // expected-error @+2 {{'forge.matmul' op (C5) shapes [2, 4] and [3] do not broadcast}}
  // expected-error @+1 {{'forge.matmul' op failed to infer returned types}}
  %0 = forge.matmul %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// matmul (C5): a bias that is larger than the product.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<5x2x4xf32>) {
  // expected-error @+2 {{'forge.matmul' op (C5) expected a bias that broadcasts to [2, 4], but got 'tensor<5x2x4xf32>'}}
  // expected-error @+1 {{'forge.matmul' op failed to infer returned types}}
  %0 = forge.matmul %arg0, %arg1, %arg2 : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<5x2x4xf32>) -> tensor<2x4xf32>
  return
}

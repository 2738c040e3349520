// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// fill_cache (C1): element types.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<1x4x3x8xf16>) {
  // expected-error @+2 {{'forge.fill_cache' op (C1) expected operands of element type 'f32', but got 'tensor<1x4x3x8xf16>'}}
  // expected-error @+1 {{'forge.fill_cache' op failed to infer returned types}}
  %0 = forge.fill_cache %arg0, %arg1 : (tensor<2x4x16x8xf32>, tensor<1x4x3x8xf16>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// fill_cache (C1): rank.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<4x3x8xf32>) {
  // expected-error @+2 {{'forge.fill_cache' op (C1) expected 'input' of rank 4, but got 'tensor<4x3x8xf32>'}}
  // expected-error @+1 {{'forge.fill_cache' op failed to infer returned types}}
  %0 = forge.fill_cache %arg0, %arg1 : (tensor<2x4x16x8xf32>, tensor<4x3x8xf32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// fill_cache (C2): heads.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<1x3x3x8xf32>) {
  // expected-error @+2 {{'forge.fill_cache' op (C2) expected equal heads and head sizes, but got [2, 4, 16, 8] and [1, 3, 3, 8]}}
  // expected-error @+1 {{'forge.fill_cache' op failed to infer returned types}}
  %0 = forge.fill_cache %arg0, %arg1 : (tensor<2x4x16x8xf32>, tensor<1x3x3x8xf32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// fill_cache (C2): head size.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<1x4x3x7xf32>) {
  // expected-error @+2 {{'forge.fill_cache' op (C2) expected equal heads and head sizes, but got [2, 4, 16, 8] and [1, 4, 3, 7]}}
  // expected-error @+1 {{'forge.fill_cache' op failed to infer returned types}}
  %0 = forge.fill_cache %arg0, %arg1 : (tensor<2x4x16x8xf32>, tensor<1x4x3x7xf32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// fill_cache (C3): the sequence exceeds the cache.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<1x4x17x8xf32>) {
  // expected-error @+2 {{'forge.fill_cache' op (C3) expected an input that fits into [2, 4, 16, 8], but got [1, 4, 17, 8] at batch row 0}}
  // expected-error @+1 {{'forge.fill_cache' op failed to infer returned types}}
  %0 = forge.fill_cache %arg0, %arg1 : (tensor<2x4x16x8xf32>, tensor<1x4x17x8xf32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// fill_cache (C3): the batch exceeds the cache.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2x4x3x8xf32>) {
  // expected-error @+2 {{'forge.fill_cache' op (C3) expected an input that fits into [2, 4, 16, 8], but got [2, 4, 3, 8] at batch row 1}}
  // expected-error @+1 {{'forge.fill_cache' op failed to infer returned types}}
  %0 = forge.fill_cache %arg0, %arg1 batch_offset 1 : (tensor<2x4x16x8xf32>, tensor<2x4x3x8xf32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// fill_cache (C3): a negative offset.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<1x4x3x8xf32>) {
  // expected-error @+2 {{'forge.fill_cache' op (C3) expected an input that fits into [2, 4, 16, 8], but got [1, 4, 3, 8] at batch row -1}}
  // expected-error @+1 {{'forge.fill_cache' op failed to infer returned types}}
  %0 = forge.fill_cache %arg0, %arg1 batch_offset -1 : (tensor<2x4x16x8xf32>, tensor<1x4x3x8xf32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// update_cache (C1).
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2x4x1x8xf16>, %arg2: tensor<2xi32>) {
  // expected-error @+2 {{'forge.update_cache' op (C1) expected operands of element type 'f32', but got 'tensor<2x4x1x8xf16>'}}
  // expected-error @+1 {{'forge.update_cache' op failed to infer returned types}}
  %0 = forge.update_cache %arg0, %arg1, %arg2 : (tensor<2x4x16x8xf32>, tensor<2x4x1x8xf16>, tensor<2xi32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// update_cache (C2).
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2x4x1x7xf32>, %arg2: tensor<2xi32>) {
  // expected-error @+2 {{'forge.update_cache' op (C2) expected equal heads and head sizes, but got [2, 4, 16, 8] and [2, 4, 1, 7]}}
  // expected-error @+1 {{'forge.update_cache' op failed to infer returned types}}
  %0 = forge.update_cache %arg0, %arg1, %arg2 : (tensor<2x4x16x8xf32>, tensor<2x4x1x7xf32>, tensor<2xi32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// update_cache (C3): one token.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2x4x2x8xf32>, %arg2: tensor<2xi32>) {
  // expected-error @+2 {{'forge.update_cache' op (C3) expected one token, but got 'tensor<2x4x2x8xf32>'}}
  // expected-error @+1 {{'forge.update_cache' op failed to infer returned types}}
  %0 = forge.update_cache %arg0, %arg1, %arg2 : (tensor<2x4x16x8xf32>, tensor<2x4x2x8xf32>, tensor<2xi32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// update_cache (C3): the batch exceeds the cache.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2x4x1x8xf32>, %arg2: tensor<2xi32>) {
  // expected-error @+2 {{'forge.update_cache' op (C3) expected an input that fits into [2, 4, 16, 8], but got [2, 4, 1, 8] at batch row 2147483647}}
  // expected-error @+1 {{'forge.update_cache' op failed to infer returned types}}
  %0 = forge.update_cache %arg0, %arg1, %arg2 batch_offset 2147483647 : (tensor<2x4x16x8xf32>, tensor<2x4x1x8xf32>, tensor<2xi32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// update_cache (C4): the index is not an integer.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2x4x1x8xf32>, %arg2: tensor<2xf32>) {
  // expected-error @+2 {{'forge.update_cache' op (C4) expected 2 integers, but got 'tensor<2xf32>'}}
  // expected-error @+1 {{'forge.update_cache' op failed to infer returned types}}
  %0 = forge.update_cache %arg0, %arg1, %arg2 : (tensor<2x4x16x8xf32>, tensor<2x4x1x8xf32>, tensor<2xf32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// update_cache (C4): one index per row of the batch.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2x4x1x8xf32>, %arg2: tensor<1xi32>) {
  // expected-error @+2 {{'forge.update_cache' op (C4) expected 2 integers, but got 'tensor<1xi32>'}}
  // expected-error @+1 {{'forge.update_cache' op failed to infer returned types}}
  %0 = forge.update_cache %arg0, %arg1, %arg2 : (tensor<2x4x16x8xf32>, tensor<2x4x1x8xf32>, tensor<1xi32>) -> tensor<2x4x16x8xf32>
  return
}

// -----

// update_cache: a constant index is outside the cache.
func.func @invalid(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2x4x1x8xf32>, %arg2: tensor<2xi32>) {
  %c = forge.constant dense<[0, 16]> : tensor<2xi32>
  // expected-error @+2 {{'forge.update_cache' op (C3) expected indices in [0, 16), but got 16}}
  // expected-error @+1 {{'forge.update_cache' op failed to infer returned types}}
  %0 = forge.update_cache %arg0, %arg1, %c : (tensor<2x4x16x8xf32>, tensor<2x4x1x8xf32>, tensor<2xi32>) -> tensor<2x4x16x8xf32>
  return
}

// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// Reduce (C1): dim 4; Forge asserts on dims above 3.
func.func @invalid(%arg0: tensor<1x1x1x1x2xf32>) {
  // expected-error @+2 {{'forge.reduce_sum' op (C1) expected 'dim' in [-4, 3], but got 4}}
  // expected-error @+1 {{'forge.reduce_sum' op failed to infer returned types}}
  %0 = forge.reduce_sum %arg0 dim 4 keep_dim : (tensor<1x1x1x1x2xf32>) -> tensor<1x1x1x1x1xf32>
  return
}

// -----

// Reduce (C1): dim -5; Forge asserts on dims below -4.
func.func @invalid(%arg0: tensor<1x1x1x1x2xf32>) {
  // expected-error @+2 {{'forge.reduce_max' op (C1) expected 'dim' in [-4, 3], but got -5}}
  // expected-error @+1 {{'forge.reduce_max' op failed to infer returned types}}
  %0 = forge.reduce_max %arg0 dim -5 keep_dim : tensor<1x1x1x1x2xf32>
  return
}

// -----

// Reduce (C2): a dim outside the rank.
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.reduce_avg' op (C2) expected 'dim' inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.reduce_avg' op failed to infer returned types}}
  %0 = forge.reduce_avg %arg0 dim 2 keep_dim : tensor<2x3xf32>
  return
}

// -----

// Reduce (C2): rank 0 has no axis.
func.func @invalid(%arg0: tensor<f32>) {
  // expected-error @+2 {{'forge.reduce_avg' op (C2) expected 'dim' inside rank 0, but got 0}}
  // expected-error @+1 {{'forge.reduce_avg' op failed to infer returned types}}
  %0 = forge.reduce_avg %arg0 dim 0 keep_dim : tensor<f32>
  return
}

// -----

// reduce_avg (C3): an operand that is not floating point.
func.func @invalid(%arg0: tensor<2x3xi32>) {
  // expected-error @+2 {{'forge.reduce_avg' op (C3) expected a floating-point operand, but got 'tensor<2x3xi32>'}}
  // expected-error @+1 {{'forge.reduce_avg' op failed to infer returned types}}
  %0 = forge.reduce_avg %arg0 dim 0 keep_dim : (tensor<2x3xi32>) -> tensor<1x3xi32>
  return
}

// -----

// argmax (C1).
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.argmax' op (C1) expected 'dim' inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.argmax' op failed to infer returned types}}
  %0 = forge.argmax %arg0 dim 2 keep_dim : (tensor<2x3xf32>) -> tensor<2x3xi32>
  return
}

// -----

// argmax has an i32 result.
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.argmax' op inferred type(s) 'tensor<2x1xi32>' are incompatible with return type(s) of operation 'tensor<2x1xi64>'}}
  // expected-error @+1 {{'forge.argmax' op failed to infer returned types}}
  %0 = forge.argmax %arg0 dim 1 keep_dim : (tensor<2x3xf32>) -> tensor<2x1xi64>
  return
}

// -----

// cum_sum (C1).
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.cum_sum' op (C1) expected 'dim' inside rank 2, but got -3}}
  // expected-error @+1 {{'forge.cum_sum' op failed to infer returned types}}
  %0 = forge.cum_sum %arg0 dim -3 : tensor<2x3xf32>
  return
}

// -----

// A dim beyond 32 bits.
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+1 {{'forge.cum_sum' op attribute 'dim' does not fit 32 bits: 4294967296}}
  %0 = forge.cum_sum %arg0 dim 4294967296 : tensor<2x3xf32>
  return
}

// -----

// keep_dim is not a bool.
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+1 {{'forge.reduce_sum' op attribute 'keep_dim' failed to satisfy constraint: bool attribute}}
  %0 = "forge.reduce_sum"(%arg0) {dim = 0 : i64, keep_dim = 1 : i64} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

// reduce_max (C3).
func.func @invalid(%arg0: tensor<2x0xf32>) {
  // expected-error @+2 {{'forge.reduce_max' op (C3) expected operands with elements, but got 'tensor<2x0xf32>'}}
  // expected-error @+1 {{'forge.reduce_max' op failed to infer returned types}}
  %0 = forge.reduce_max %arg0 dim -1 : (tensor<2x0xf32>) -> tensor<2xf32>
  return
}

// -----

// argmax (C2).
func.func @invalid(%arg0: tensor<2x0xf32>) {
  // expected-error @+2 {{'forge.argmax' op (C2) expected operands with elements, but got 'tensor<2x0xf32>'}}
  // expected-error @+1 {{'forge.argmax' op failed to infer returned types}}
  %0 = forge.argmax %arg0 dim -1 : (tensor<2x0xf32>) -> tensor<2xi32>
  return
}

// -----

// argmax (C2): of the flattened tensor.
func.func @invalid(%arg0: tensor<2x0xf32>) {
  // expected-error @+2 {{'forge.argmax' op (C2) expected operands with elements, but got 'tensor<2x0xf32>'}}
  // expected-error @+1 {{'forge.argmax' op failed to infer returned types}}
  %0 = forge.argmax %arg0 keep_dim : (tensor<2x0xf32>) -> tensor<1x1xi32>
  return
}

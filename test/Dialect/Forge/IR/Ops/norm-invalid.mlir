// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// softmax (C1).
func.func @invalid(%arg0: tensor<2x3xi32>) {
  // expected-error @+2 {{'forge.softmax' op (C1) expected a floating-point operand, but got 'tensor<2x3xi32>'}}
  // expected-error @+1 {{'forge.softmax' op failed to infer returned types}}
  %0 = forge.softmax %arg0 dim 1 stable : tensor<2x3xi32>
  return
}

// -----

// softmax (C2).
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.softmax' op (C2) expected 'dim' inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.softmax' op failed to infer returned types}}
  %0 = forge.softmax %arg0 dim 2 stable : tensor<2x3xf32>
  return
}

// -----

// log_softmax (C1).
func.func @invalid(%arg0: tensor<2x3xi32>) {
  // expected-error @+2 {{'forge.log_softmax' op (C1) expected a floating-point operand, but got 'tensor<2x3xi32>'}}
  // expected-error @+1 {{'forge.log_softmax' op failed to infer returned types}}
  %0 = forge.log_softmax %arg0 dim 1 stable : tensor<2x3xi32>
  return
}

// -----

// log_softmax (C2).
func.func @invalid(%arg0: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.log_softmax' op (C2) expected 'dim' inside rank 2, but got -3}}
  // expected-error @+1 {{'forge.log_softmax' op failed to infer returned types}}
  %0 = forge.log_softmax %arg0 dim -3 stable : tensor<2x3xf32>
  return
}

// -----

// layernorm (C1): an operand that is not floating point.
func.func @invalid(%arg0: tensor<2x3xi32>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>) {
  // expected-error @+2 {{'forge.layernorm' op (C1) expected a floating-point operand, but got 'tensor<2x3xi32>'}}
  // expected-error @+1 {{'forge.layernorm' op failed to infer returned types}}
  %0 = forge.layernorm %arg0, %arg1, %arg2 dim -1 epsilon 1.0 : (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

// layernorm (C1): different element types.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf16>) {
  // expected-error @+2 {{'forge.layernorm' op (C1) expected operands of element type 'f32', but got 'tensor<3xf16>'}}
  // expected-error @+1 {{'forge.layernorm' op failed to infer returned types}}
  %0 = forge.layernorm %arg0, %arg1, %arg2 dim -1 epsilon 1.0 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf16>) -> tensor<2x3xf32>
  return
}

// -----

// layernorm (C2): not the last axis.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) {
  // expected-error @+2 {{'forge.layernorm' op (C2) expected 'dim' to be the last axis, but got 0}}
  // expected-error @+1 {{'forge.layernorm' op failed to infer returned types}}
  %0 = forge.layernorm %arg0, %arg1, %arg2 dim 0 epsilon 1.0 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// layernorm (C2): outside the rank.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) {
  // expected-error @+2 {{'forge.layernorm' op (C2) expected 'dim' inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.layernorm' op failed to infer returned types}}
  %0 = forge.layernorm %arg0, %arg1, %arg2 dim 2 epsilon 1.0 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// layernorm (C3): weights.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<2xf32>, %arg2: tensor<3xf32>) {
  // expected-error @+2 {{'forge.layernorm' op (C3) expected 3 elements in the last axis, but got 'tensor<2xf32>'}}
  // expected-error @+1 {{'forge.layernorm' op failed to infer returned types}}
  %0 = forge.layernorm %arg0, %arg1, %arg2 dim 1 epsilon 1.0 : (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// layernorm (C3): bias.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<2x3xf32>) {
  // expected-error @+2 {{'forge.layernorm' op (C3) expected 3 elements in the last axis, but got 'tensor<2x3xf32>'}}
  // expected-error @+1 {{'forge.layernorm' op failed to infer returned types}}
  %0 = forge.layernorm %arg0, %arg1, %arg2 dim 1 epsilon 1.0 : (tensor<2x3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// batchnorm (C1): an operand that is not floating point.
func.func @invalid(%arg0: tensor<2x3xi32>, %arg1: tensor<3xi32>, %arg2: tensor<3xi32>, %arg3: tensor<3xi32>, %arg4: tensor<3xi32>) {
  // expected-error @+2 {{'forge.batchnorm' op (C1) expected a floating-point operand, but got 'tensor<2x3xi32>'}}
  // expected-error @+1 {{'forge.batchnorm' op failed to infer returned types}}
  %0 = forge.batchnorm %arg0, %arg1, %arg2, %arg3, %arg4 epsilon 1.0 : (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

// batchnorm (C1): rank.
func.func @invalid(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<3xf32>) {
  // expected-error @+2 {{'forge.batchnorm' op (C1) expected rank 2 or more, but got 'tensor<3xf32>'}}
  // expected-error @+1 {{'forge.batchnorm' op failed to infer returned types}}
  %0 = forge.batchnorm %arg0, %arg1, %arg2, %arg3, %arg4 epsilon 1.0 : tensor<3xf32>
  return
}

// -----

// batchnorm (C2).
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<2xf32>, %arg4: tensor<3xf32>) {
  // expected-error @+2 {{'forge.batchnorm' op (C2) expected shape [3], but got 'tensor<2xf32>'}}
  // expected-error @+1 {{'forge.batchnorm' op failed to infer returned types}}
  %0 = forge.batchnorm %arg0, %arg1, %arg2, %arg3, %arg4 epsilon 1.0 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// batchnorm (C2): rank.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<1x3xf32>) {
  // expected-error @+2 {{'forge.batchnorm' op (C2) expected shape [3], but got 'tensor<1x3xf32>'}}
  // expected-error @+1 {{'forge.batchnorm' op failed to infer returned types}}
  %0 = forge.batchnorm %arg0, %arg1, %arg2, %arg3, %arg4 epsilon 1.0 : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return
}

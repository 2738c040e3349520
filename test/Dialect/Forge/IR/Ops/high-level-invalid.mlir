// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// split (C1).
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.split' op (C1) expected 'dim' inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.split' op failed to infer returned types}}
  %0 = forge.split %arg0 dim 2 sizes [10] : (tensor<2x10xf32>) -> tensor<2x10xf32>
  return
}

// -----

// split (C2): no sizes.
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.split' op (C2) expected 'sizes' with at least one value, none negative, but got []}}
  // expected-error @+1 {{'forge.split' op failed to infer returned types}}
  %0 = forge.split %arg0 dim 1 sizes [] : (tensor<2x10xf32>) -> tensor<2x10xf32>
  return
}

// -----

// split (C2): a negative size.
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.split' op (C2) expected 'sizes' with at least one value, none negative, but got [11, -1]}}
  // expected-error @+1 {{'forge.split' op failed to infer returned types}}
  %0:2 = forge.split %arg0 dim 1 sizes [11, -1] : (tensor<2x10xf32>) -> (tensor<2x11xf32>, tensor<2x1xf32>)
  return
}

// -----

// split (C3): the sum of the sizes exceeds the axis.
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.split' op (C3) expected 'sizes' that add up to 10, but got [5, 6]}}
  // expected-error @+1 {{'forge.split' op failed to infer returned types}}
  %0:2 = forge.split %arg0 dim 1 sizes [5, 6] : (tensor<2x10xf32>) -> (tensor<2x5xf32>, tensor<2x6xf32>)
  return
}

// -----

// split (C3): the sum of the sizes is less than the axis.
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.split' op (C3) expected 'sizes' that add up to 10, but got [5, 4]}}
  // expected-error @+1 {{'forge.split' op failed to infer returned types}}
  %0:2 = forge.split %arg0 dim 1 sizes [5, 4] : (tensor<2x10xf32>) -> (tensor<2x5xf32>, tensor<2x4xf32>)
  return
}

// -----

// split (C3): a sum beyond 64 bits.
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.split' op (C3) expected 'sizes' that add up to 10, but got [9223372036854775807, 9223372036854775807, 12]}}
  // expected-error @+1 {{'forge.split' op failed to infer returned types}}
  %0:2 = forge.split %arg0 dim 1 sizes [9223372036854775807, 9223372036854775807, 12] : (tensor<2x10xf32>) -> (tensor<2x5xf32>, tensor<2x4xf32>)
  return
}

// -----

// split: the number of results differs from that of the sizes.
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.split' op inferred type(s) 'tensor<2x5xf32>', 'tensor<2x5xf32>' are incompatible with return type(s) of operation 'tensor<2x5xf32>'}}
  // expected-error @+1 {{'forge.split' op failed to infer returned types}}
  %0 = forge.split %arg0 dim 1 sizes [5, 5] : (tensor<2x10xf32>) -> tensor<2x5xf32>
  return
}

// -----

// strided_slice (C1).
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.strided_slice' op (C1) expected 2 values in 'begin', 'end' and 'strides', but got 1, 2 and 2}}
  // expected-error @+1 {{'forge.strided_slice' op failed to infer returned types}}
  %0 = "forge.strided_slice"(%arg0) {axes = array<i64: 0, 1>, begin = array<i64: 0>, end = array<i64: 1, 1>, strides = array<i64: 1, 1>} : (tensor<2x10xf32>) -> tensor<2x10xf32>
  return
}

// -----

// strided_slice (C2): an axis outside the rank.
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.strided_slice' op (C2) expected axes inside rank 2, but got 2}}
  // expected-error @+1 {{'forge.strided_slice' op failed to infer returned types}}
  %0 = forge.strided_slice %arg0 dim 2 [0:1] : tensor<2x10xf32>
  return
}

// -----

// strided_slice (C2): one axis twice, once counted from the end.
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.strided_slice' op (C2) expected distinct axes, but got -1 twice}}
  // expected-error @+1 {{'forge.strided_slice' op failed to infer returned types}}
  %0 = forge.strided_slice %arg0 dim 1 [0:1] dim -1 [0:1] : tensor<2x10xf32>
  return
}

// -----

// strided_slice (C3).
func.func @invalid(%arg0: tensor<2x10xf32>) {
  // expected-error @+2 {{'forge.strided_slice' op (C3) expected strides that are not zero, but got 0 on axis 1}}
  // expected-error @+1 {{'forge.strided_slice' op failed to infer returned types}}
  %0 = forge.strided_slice %arg0 dim 1 [0:1:0] : tensor<2x10xf32>
  return
}

// -----

// quotient (C1).
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+2 {{'forge.quotient' op (C1) expected an operand of integers, but got 'tensor<2xf32>'}}
  // expected-error @+1 {{'forge.quotient' op failed to infer returned types}}
  %0 = forge.quotient %arg0, %arg0 : tensor<2xf32>
  return
}

// -----

// quotient (C2).
func.func @invalid(%arg0: tensor<2xi32>, %arg1: tensor<3xi32>) {
  // expected-error @+2 {{'forge.quotient' op (C2) shapes [2] and [3] do not broadcast}}
  // expected-error @+1 {{'forge.quotient' op failed to infer returned types}}
  %0 = forge.quotient %arg0, %arg1 : (tensor<2xi32>, tensor<3xi32>) -> tensor<2xi32>
  return
}

// -----

// wrap_index (C1).
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+2 {{'forge.wrap_index' op (C1) expected an operand of integers, but got 'tensor<2xf32>'}}
  // expected-error @+1 {{'forge.wrap_index' op failed to infer returned types}}
  %0 = forge.wrap_index %arg0 size 9 : tensor<2xf32>
  return
}

// -----

// wrap_index (C2).
func.func @invalid(%arg0: tensor<2xi32>) {
  // expected-error @+2 {{'forge.wrap_index' op (C2) expected a 'size' that is not negative, but got -1}}
  // expected-error @+1 {{'forge.wrap_index' op failed to infer returned types}}
  %0 = forge.wrap_index %arg0 size -1 : tensor<2xi32>
  return
}

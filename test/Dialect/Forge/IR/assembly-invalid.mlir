// Text that does not parse as an op.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

func.func @invalid(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{custom op 'forge.index' expected integer value}}
  %0 = forge.index %x dim -1 [0:3:] : tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = forge.index %x dim -1 [0] : tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{custom op 'forge.index' integer value too large}}
  %0 = forge.index %x dim 1 [0:9223372036854775808] : tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{custom op 'forge.strided_slice' expected integer value}}
  %0 = forge.strided_slice %x dim [0:1] : tensor<2x3xf32>
  return
}

// -----

// A function type must fit the op.
func.func @invalid(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{custom op 'forge.add' expected the type of all operands and the result, or a function type of 2 operands and 1 result, but got '(tensor<2x3xf32>) -> tensor<2x3xf32>'}}
  %0 = forge.add %x, %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected the type of all operands and the result, or a function type of 1 operands and 1 result, but got '(tensor<2x3xf32>) -> ()'}}
  %0 = forge.relu %x : (tensor<2x3xf32>) -> ()
  return
}

// -----

func.func @invalid(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{custom op 'forge.add' number of operands and types do not match: got 1 operands and 2 types}}
  %0 = forge.add %x : tensor<2x3xf32>
  return
}

// -----

// An attribute that the op does not have, and a missing attribute.
func.func @invalid(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{expected ':'}}
  %0 = forge.reduce_avg %x dim -1 keep_dims : tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{custom op 'forge.transpose' expected 'dims'}}
  %0 = forge.transpose %x {dim0 = 0 : i64, dim1 = 1 : i64} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{custom op 'forge.gelu' expected valid keyword or string}}
  %0 = forge.gelu %x approximate : tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x1x2x2xf32>) {
  // expected-error @+1 {{'forge.conv2d' op attribute 'groups' failed to satisfy constraint: 64-bit signed integer attribute}}
  %0 = forge.conv2d %x, %x stride [1, 1] padding [0, 0, 0, 0] groups true : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @invalid(%x: tensor<1x1x2x2xf32>) {
  // expected-error @+1 {{expected '['}}
  %0 = forge.conv2d %x, %x stride [1, 1] padding [0, 0, 0, 0] dilation 3 : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32>
  return
}

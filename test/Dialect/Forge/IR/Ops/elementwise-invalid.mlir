// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// Binary (C1): different element types.
func.func @invalid(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) {
  // expected-error @+2 {{'forge.add' op (C1) expected operands of element type 'f32', but got 'tensor<2xi32>'}}
  // expected-error @+1 {{'forge.add' op failed to infer returned types}}
  %0 = forge.add %arg0, %arg1 : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

// Binary (C1): max does not promote 16-bit floats to f32.
func.func @invalid(%arg0: tensor<2xf32>, %arg1: tensor<2xbf16>) {
  // expected-error @+2 {{'forge.max' op (C1) expected operands of element type 'f32', but got 'tensor<2xbf16>'}}
  // expected-error @+1 {{'forge.max' op failed to infer returned types}}
  %0 = forge.max %arg0, %arg1 : (tensor<2xf32>, tensor<2xbf16>) -> tensor<2xf32>
  return
}

// -----

// Binary (C2): shapes that do not broadcast.
func.func @invalid(%arg0: tensor<2x3xf32>, %arg1: tensor<2xf32>) {
  // expected-error @+2 {{'forge.multiply' op (C2) shapes [2, 3] and [2] do not broadcast}}
  // expected-error @+1 {{'forge.multiply' op failed to infer returned types}}
  %0 = forge.multiply %arg0, %arg1 : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

// The result type differs from the inferred one.
func.func @invalid(%arg0: tensor<2x1xf32>, %arg1: tensor<3xf32>) {
  // expected-error @+2 {{'forge.add' op inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<2x1xf32>'}}
  // expected-error @+1 {{'forge.add' op failed to infer returned types}}
  %0 = forge.add %arg0, %arg1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x1xf32>
  return
}

// -----

// The result of a unary op has another type than its operand.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+2 {{'forge.relu' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2xf16>'}}
  // expected-error @+1 {{'forge.relu' op failed to infer returned types}}
  %0 = forge.relu %arg0 : (tensor<2xf32>) -> tensor<2xf16>
  return
}

// -----

// The result of a comparison has another element type than its operands.
func.func @invalid(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) {
  // expected-error @+2 {{'forge.equal' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<2xi1>'}}
  // expected-error @+1 {{'forge.equal' op failed to infer returned types}}
  %0 = forge.equal %arg0, %arg1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return
}

// -----

// logical_not has an i32 result.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+2 {{'forge.logical_not' op inferred type(s) 'tensor<2xi32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  // expected-error @+1 {{'forge.logical_not' op failed to infer returned types}}
  %0 = forge.logical_not %arg0 : tensor<2xf32>
  return
}

// -----

// An unranked tensor.
func.func @invalid(%arg0: tensor<*xf32>) {
  // expected-error @+1 {{'forge.abs' op operand #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<*xf32>'}}
  %0 = forge.abs %arg0 : (tensor<*xf32>) -> tensor<2xf32>
  return
}

// -----

// A dynamic dim.
func.func @invalid(%arg0: tensor<?x2xf32>) {
  // expected-error @+1 {{'forge.abs' op operand #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<?x2xf32>'}}
  %0 = forge.abs %arg0 : (tensor<?x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// A dynamic result.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.abs' op result #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<?xf32>'}}
  %0 = forge.abs %arg0 : (tensor<2xf32>) -> tensor<?xf32>
  return
}

// -----

// A signed integer type; the dialect has signless integers.
func.func @invalid(%arg0: tensor<2xsi32>) {
  // expected-error @+1 {{'forge.abs' op operand #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<2xsi32>'}}
  %0 = forge.abs %arg0 : tensor<2xsi32>
  return
}

// -----

// A tensor of index.
func.func @invalid(%arg0: tensor<2xindex>) {
  // expected-error @+1 {{'forge.abs' op operand #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<2xindex>'}}
  %0 = forge.abs %arg0 : tensor<2xindex>
  return
}

// -----

// A scalar operand.
func.func @invalid(%arg0: f32) {
  // expected-error @+1 {{'forge.abs' op operand #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'f32'}}
  %0 = forge.abs %arg0 : (f32) -> tensor<2xf32>
  return
}

// -----

// A torch type.
func.func @invalid(%arg0: !torch.vtensor<[2],f32>) {
  // expected-error @+1 {{'forge.abs' op operand #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got '!torch.vtensor<[2],f32>'}}
  %0 = forge.abs %arg0 : (!torch.vtensor<[2],f32>) -> tensor<2xf32>
  return
}

// -----

// A torch type as a result.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.abs' op result #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got '!torch.none'}}
  %0 = forge.abs %arg0 : (tensor<2xf32>) -> !torch.none
  return
}

// -----

// cast (C1).
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+2 {{'forge.cast' op (C1) expected an integer or floating-point 'dtype', but got 'complex<f32>'}}
  // expected-error @+1 {{'forge.cast' op failed to infer returned types}}
  %0 = forge.cast %arg0 dtype complex<f32> : tensor<2xf32>
  return
}

// -----

// cast (C1): index is not an element type of the dialect.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+2 {{'forge.cast' op (C1) expected an integer or floating-point 'dtype', but got 'index'}}
  // expected-error @+1 {{'forge.cast' op failed to infer returned types}}
  %0 = forge.cast %arg0 dtype index : tensor<2xf32>
  return
}

// -----

// cast: an integer of unsupported width cannot be the result.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.cast' op result #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<2xi7>'}}
  %0 = forge.cast %arg0 dtype i7 : (tensor<2xf32>) -> tensor<2xi7>
  return
}

// -----

// cast: nor can a signed integer.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.cast' op result #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<2xsi32>'}}
  %0 = forge.cast %arg0 dtype si32 : (tensor<2xf32>) -> tensor<2xsi32>
  return
}

// -----

// cast: nor can a float wider than 64 bits.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.cast' op result #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<2xf128>'}}
  %0 = forge.cast %arg0 dtype f128 : (tensor<2xf32>) -> tensor<2xf128>
  return
}

// -----

// gelu has two approximations.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.gelu' op attribute 'approximate' failed to satisfy constraint: string attribute one of 'none', 'tanh'}}
  %0 = forge.gelu %arg0 approximate fast : tensor<2xf32>
  return
}

// -----

// An enum attribute that is not a string.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.gelu' op attribute 'approximate' failed to satisfy constraint: string attribute one of 'none', 'tanh'}}
  %0 = "forge.gelu"(%arg0) {approximate = 1 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// clip (C1): an operand that is not floating point.
func.func @invalid(%arg0: tensor<2xi32>) {
  // expected-error @+2 {{'forge.clip' op (C1) expected a floating-point operand, but got 'tensor<2xi32>'}}
  // expected-error @+1 {{'forge.clip' op failed to infer returned types}}
  %0 = forge.clip %arg0 min 0.0 max 1.0 : tensor<2xi32>
  return
}

// -----

// A float attribute that is not f32.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.leaky_relu' op attribute 'alpha' failed to satisfy constraint: 32-bit float attribute}}
  %0 = "forge.leaky_relu"(%arg0) {alpha = 1.0 : f64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// A missing attribute.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.leaky_relu' op requires attribute 'alpha'}}
  %0 = "forge.leaky_relu"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// Integer attributes are limited to 32 bits, as in Forge.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.dropout' op attribute 'seed' does not fit 32 bits: 2147483648}}
  %0 = forge.dropout %arg0 p 0.5 seed 2147483648 : tensor<2xf32>
  return
}

// -----

// The same for negative values.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.identity' op attribute 'unsqueeze_dim' does not fit 32 bits: -2147483649}}
  %0 = forge.identity %arg0 unsqueeze_dim -2147483649 : tensor<2xf32>
  return
}

// -----

// divide (C1): operands that are not floating point.
func.func @invalid(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) {
  // expected-error @+2 {{'forge.divide' op (C1) expected a floating-point operand, but got 'tensor<2xi32>'}}
  // expected-error @+1 {{'forge.divide' op failed to infer returned types}}
  %0 = forge.divide %arg0, %arg1 : tensor<2xi32>
  return
}

// -----

// divide (C1): different 16-bit types.
func.func @invalid(%arg0: tensor<2xbf16>, %arg1: tensor<2xf16>) {
  // expected-error @+2 {{'forge.divide' op (C1) expected operands of element type 'bf16', but got 'tensor<2xf16>'}}
  // expected-error @+1 {{'forge.divide' op failed to infer returned types}}
  %0 = forge.divide %arg0, %arg1 : (tensor<2xbf16>, tensor<2xf16>) -> tensor<2xf32>
  return
}

// -----

// divide (C2).
func.func @invalid(%arg0: tensor<2xf32>, %arg1: tensor<3xf32>) {
  // expected-error @+2 {{'forge.divide' op (C2) shapes [2] and [3] do not broadcast}}
  // expected-error @+1 {{'forge.divide' op failed to infer returned types}}
  %0 = forge.divide %arg0, %arg1 : (tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// where (C1): values of different types.
func.func @invalid(%arg0: tensor<2xi1>, %arg1: tensor<2xf32>, %arg2: tensor<2xi32>) {
  // expected-error @+2 {{'forge.where' op (C1) expected operands of element type 'f32', but got 'tensor<2xi32>'}}
  // expected-error @+1 {{'forge.where' op failed to infer returned types}}
  %0 = forge.where %arg0, %arg1, %arg2 : (tensor<2xi1>, tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

// where (C2): values that do not broadcast.
func.func @invalid(%arg0: tensor<2xi1>, %arg1: tensor<2xf32>, %arg2: tensor<3xf32>) {
  // expected-error @+2 {{'forge.where' op (C2) shapes [2] and [3] do not broadcast}}
  // expected-error @+1 {{'forge.where' op failed to infer returned types}}
  %0 = forge.where %arg0, %arg1, %arg2 : (tensor<2xi1>, tensor<2xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// where (C2): a condition that does not broadcast with the values.
func.func @invalid(%arg0: tensor<4xi1>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>) {
  // expected-error @+2 {{'forge.where' op (C2) shapes [4] and [2] do not broadcast}}
  // expected-error @+1 {{'forge.where' op failed to infer returned types}}
  %0 = forge.where %arg0, %arg1, %arg2 : (tensor<4xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// An op without a result.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.abs' op requires one result}}
  "forge.abs"(%arg0) : (tensor<2xf32>) -> ()
  return
}

// -----

// An op with a missing operand.
func.func @invalid(%arg0: tensor<2xf32>) {
  // expected-error @+1 {{'forge.add' op expected 2 operands, but found 1}}
  %0 = "forge.add"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// exp (C1).
func.func @invalid(%arg0: tensor<2xi32>) {
  // expected-error @+2 {{'forge.exp' op (C1) expected a floating-point operand, but got 'tensor<2xi32>'}}
  // expected-error @+1 {{'forge.exp' op failed to infer returned types}}
  %0 = forge.exp %arg0 : tensor<2xi32>
  return
}

// -----

// pow (C1).
func.func @invalid(%arg0: tensor<2xi32>) {
  // expected-error @+2 {{'forge.pow' op (C1) expected a floating-point operand, but got 'tensor<2xi32>'}}
  // expected-error @+1 {{'forge.pow' op failed to infer returned types}}
  %0 = forge.pow %arg0 exponent 2.0 : tensor<2xi32>
  return
}

// -----

// leaky_relu (C1).
func.func @invalid(%arg0: tensor<2xi32>) {
  // expected-error @+2 {{'forge.leaky_relu' op (C1) expected a floating-point operand, but got 'tensor<2xi32>'}}
  // expected-error @+1 {{'forge.leaky_relu' op failed to infer returned types}}
  %0 = forge.leaky_relu %arg0 alpha 0.5 : tensor<2xi32>
  return
}

// -----

// gelu (C1).
func.func @invalid(%arg0: tensor<2xi32>) {
  // expected-error @+2 {{'forge.gelu' op (C1) expected a floating-point operand, but got 'tensor<2xi32>'}}
  // expected-error @+1 {{'forge.gelu' op failed to infer returned types}}
  %0 = forge.gelu %arg0 approximate none : tensor<2xi32>
  return
}

// -----

// dropout (C1).
func.func @invalid(%arg0: tensor<2xi32>) {
  // expected-error @+2 {{'forge.dropout' op (C1) expected a floating-point operand, but got 'tensor<2xi32>'}}
  // expected-error @+1 {{'forge.dropout' op failed to infer returned types}}
  %0 = forge.dropout %arg0 p 0.5 seed 0 : tensor<2xi32>
  return
}

// A violation of every numbered constraint.
// RUN: forge-opt %s -split-input-file -verify-diagnostics

// A vector value.
func.func @invalid() {
  // expected-error @+1 {{'forge.constant' op expected a dense tensor value, but got dense<1> : vector<2xi64>}}
  %0 = forge.constant dense<1> : vector<2xi64>
  return
}

// -----

// A resource value, for which there is forge.parameter.
func.func @invalid() {
  // expected-error @+1 {{'forge.constant' op expected a dense tensor value, but got dense_resource<w> : tensor<2xf32>}}
  %0 = forge.constant dense_resource<w> : tensor<2xf32>
  return
}

// -----

// A sparse value.
func.func @invalid() {
  // expected-error @+1 {{'forge.constant' op expected a dense tensor value, but got sparse<0, 1.000000e+00> : tensor<2xf32>}}
  %0 = forge.constant sparse<[[0]], [1.0]> : tensor<2xf32>
  return
}

// -----

// An element type that the dialect does not have.
func.func @invalid() {
  // expected-error @+1 {{'forge.constant' op result #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<2xindex>'}}
  %0 = forge.constant dense<1> : tensor<2xindex>
  return
}

// -----

// The result type differs from the value's type.
func.func @invalid() {
  // expected-error @+2 {{'forge.constant' op inferred type(s) 'tensor<2xi64>' are incompatible with return type(s) of operation 'tensor<3xi64>'}}
  // expected-error @+1 {{'forge.constant' op failed to infer returned types}}
  %0 = "forge.constant"() <{value = dense<1> : tensor<2xi64>}> : () -> tensor<3xi64>
  return
}

// -----

// A parameter without a key.
func.func @invalid() {
  // expected-error @+1 {{'forge.parameter' op requires attribute 'key'}}
  %0 = "forge.parameter"() : () -> tensor<3xi64>
  return
}

// -----

// A parameter without a static type.
func.func @invalid() {
  // expected-error @+1 {{'forge.parameter' op result #0 must be statically shaped tensor of a supported element type, with fewer than 2^63 elements, but got 'tensor<?xf32>'}}
  %0 = forge.parameter "w" : tensor<?xf32>
  return
}

// -----

// scalar_constant (C1).
func.func @invalid() {
  // expected-error @+2 {{'forge.scalar_constant' op (C1) expected 'dtype' f32, f16, bf16 or i32, but got 'i64'}}
  // expected-error @+1 {{'forge.scalar_constant' op failed to infer returned types}}
  %0 = forge.scalar_constant constant 1.0 dtype i64 : tensor<1xi64>
  return
}

// -----

// scalar_constant (C1): f64.
func.func @invalid() {
  // expected-error @+2 {{'forge.scalar_constant' op (C1) expected 'dtype' f32, f16, bf16 or i32, but got 'f64'}}
  // expected-error @+1 {{'forge.scalar_constant' op failed to infer returned types}}
  %0 = forge.scalar_constant constant 1.0 dtype f64 : tensor<1xf64>
  return
}

// -----

// scalar_constant (C2): a fraction as an integer.
func.func @invalid() {
  // expected-error @+2 {{'forge.scalar_constant' op (C2) expected a 'constant' that is exact in 'i32', but got 1.500000e+00}}
  // expected-error @+1 {{'forge.scalar_constant' op failed to infer returned types}}
  %0 = forge.scalar_constant constant 1.5 dtype i32 : tensor<1xi32>
  return
}

// -----

// scalar_constant (C2): infinity as an integer.
func.func @invalid() {
  // expected-error @+2 {{'forge.scalar_constant' op (C2) expected a 'constant' that is exact in 'i32', but got INF}}
  // expected-error @+1 {{'forge.scalar_constant' op failed to infer returned types}}
  %0 = forge.scalar_constant constant 0x7F800000 dtype i32 : tensor<1xi32>
  return
}

// -----

// scalar_constant (C2): beyond 32 bits.
func.func @invalid() {
  // expected-error @+2 {{'forge.scalar_constant' op (C2) expected a 'constant' that is exact in 'i32', but got 3.000000e+09}}
  // expected-error @+1 {{'forge.scalar_constant' op failed to infer returned types}}
  %0 = forge.scalar_constant constant 3.0e9 dtype i32 : tensor<1xi32>
  return
}

// -----

// scalar_constant: a result of another shape than [1].
func.func @invalid() {
  // expected-error @+2 {{'forge.scalar_constant' op inferred type(s) 'tensor<1xf32>' are incompatible with return type(s) of operation 'tensor<f32>'}}
  // expected-error @+1 {{'forge.scalar_constant' op failed to infer returned types}}
  %0 = forge.scalar_constant constant 1.5 dtype f32 : tensor<f32>
  return
}

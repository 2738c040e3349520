// RUN: forge-opt %s --forge-legalize-types -split-input-file -verify-diagnostics

// Beyond the range of Int32.
// expected-error @unknown {{constant 'a"b' holds 2147483648, which does not fit Int32 on the device}}
func.func @above() -> tensor<2xi64> {
  %0 = forge.constant dense<[0, 2147483648]> : tensor<2xi64> loc("a\22b")
  return %0 : tensor<2xi64>
}

// -----

// Below the range of Int32.
func.func @below() -> tensor<i64> {
  // expected-error @+1 {{constant '' holds -2147483649, which does not fit Int32 on the device}}
  %0 = forge.constant dense<-2147483649> : tensor<i64>
  return %0 : tensor<i64>
}

// -----

// An unsigned constant beyond INT64_MAX.
func.func @unsigned() -> tensor<ui64> {
  // expected-error @+1 {{constant '' holds 18446744073709551615, which does not fit Int32 on the device}}
  %0 = forge.constant dense<18446744073709551615> : tensor<ui64>
  return %0 : tensor<ui64>
}

// -----

// A splat is checked as well.
func.func @splat() -> tensor<4xui64> {
  // expected-error @+1 {{constant '' holds 4294967296, which does not fit Int32 on the device}}
  %0 = forge.constant dense<4294967296> : tensor<4xui64>
  return %0 : tensor<4xui64>
}

// -----

// An f64 constant beyond the range of f32. 3.4028235e38 is rounded to the largest number of f32.
func.func @double() -> tensor<1xf64> {
  %1 = forge.constant dense<3.4028235e38> : tensor<1xf64>
  // expected-error @+1 {{constant '' holds 1.000000e+300, which does not fit Float32 on the device}}
  %0 = forge.constant dense<1.0e300> : tensor<1xf64>
  return %0 : tensor<1xf64>
}

// -----

// Complex numbers.
// expected-error @+1 {{node '' has type 'tensor<2xcomplex<f32>>', which the device cannot hold}}
func.func @complex(%a: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {

  return %a : tensor<2xcomplex<f32>>
}

// -----

// 8-bit floats, also as an intermediate value.
// expected-error @unknown {{node 'to8' has type 'tensor<2xf8E5M2>', which the device cannot hold}}
func.func @float8(%a: tensor<2xf32>) -> tensor<2xf8E5M2> {
  %0 = forge.cast %a dtype f8E5M2 : (tensor<2xf32>) -> tensor<2xf8E5M2> loc("to8")
  return %0 : tensor<2xf8E5M2>
}

// -----

// Every input of an unsupported type is reported.
// expected-error @+2 {{node '' has type '!torch.none', which the device cannot hold}}
// expected-error @+1 {{node '' has type 'i32', which the device cannot hold}}
func.func @inputs(%a: !torch.none, %b: i32) {

  return
}

// -----

// Splits have to be lowered before.
func.func @split(%x: tensor<2x10xf32>) -> tensor<1x10xf32> {
  // expected-error @+1 {{has 2 results, but --forge-legalize-types requires one; run --forge-lower-split first}}
  %0:2 = forge.split %x dim 0 sizes [1, 1] : (tensor<2x10xf32>) -> (tensor<1x10xf32>, tensor<1x10xf32>)
  return %0#0 : tensor<1x10xf32>
}

// -----

// ONNX nodes have to be converted before.
func.func @node(%x: tensor<2x10xf32>) -> tensor<2x10xf32> {
  // expected-error @+1 {{is no op of the forge dialect, as --forge-legalize-types requires}}
  %0 = torch.operator "onnx.Relu"(%x) : (tensor<2x10xf32>) -> tensor<2x10xf32>
  return %0 : tensor<2x10xf32>
}

// -----

// The product of two vectors has rank 0.
func.func @vectors(%a: tensor<2xf32>) -> tensor<f32> {
  // expected-error @+1 {{gives rank 0, which --forge-legalize-types cannot hold; reshape its operands to matrices}}
  %0 = forge.matmul %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A function without a body.
// expected-error @+1 {{expected a function of one block for --forge-legalize-types}}
func.func private @declared(tensor<2xf32>)

// -----

// Several blocks.
// expected-error @+1 {{expected a function of one block for --forge-legalize-types}}
func.func @blocks(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
^bb1:
  return %a : tensor<2xf32>
}

// -----

// f64 is computed as Float32, with a warning.
// expected-warning @+1 {{float64 is computed as Float32 on the device}}
func.func @warned(%a: tensor<2xf64>) -> tensor<2xf64> {

  return %a : tensor<2xf64>
}

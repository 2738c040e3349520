// Sequences of ops that resemble a fused op, but compute another function, or whose fusion saves nothing: the pass
// leaves every op unchanged.
// RUN: forge-opt %s --forge-fuse-patterns > %t.fused
// RUN: forge-opt %s > %t.plain
// RUN: diff %t.plain %t.fused
// RUN: FileCheck %s < %t.fused

// CHECK-LABEL: func.func @wrong_root(

// erf(x / 1.414) instead of erf(x / sqrt(2)).
func.func @wrong_root(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.414> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %4 : tensor<2x8xf32>
  %6 = forge.constant dense<0.5> : tensor<f32>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// The factor is 0.51 instead of 0.5.
func.func @wrong_half(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.41421354> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %4 : tensor<2x8xf32>
  %6 = forge.constant dense<0.51> : tensor<f32>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// The addition is 0.999 + erf instead of 1 + erf.
func.func @wrong_one(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.41421354> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<0.999> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %4 : tensor<2x8xf32>
  %6 = forge.constant dense<0.5> : tensor<f32>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// x * (1 + erf(w / sqrt(2))).
func.func @two_variables(%x: tensor<2x8xf32>, %w: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.41421354> : tensor<f32>
  %1 = forge.divide %w, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %4 : tensor<2x8xf32>
  %6 = forge.constant dense<0.5> : tensor<f32>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// The divisor is a constant with an element per column, not a scalar.
func.func @divisor_per_column(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.41421354> : tensor<8xf32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %4 : tensor<2x8xf32>
  %6 = forge.constant dense<0.5> : tensor<f32>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %7 : tensor<2x8xf32>
}

// A constant of rank 3 makes the result larger than x.
func.func @wider_result(%x: tensor<2x8xf32>) -> tensor<1x2x8xf32> {
  %0 = forge.constant dense<1.41421354> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %4 : tensor<2x8xf32>
  %6 = forge.constant dense<0.5> : tensor<1x1x1xf32>
  %7 = forge.multiply %5, %6 : (tensor<2x8xf32>, tensor<1x1x1xf32>) -> tensor<1x2x8xf32>
  return %7 : tensor<1x2x8xf32>
}

// x * x / x is NaN, not x, where x is 0.
func.func @cancelled_factor(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.41421354> : tensor<f32>
  %1 = forge.divide %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.erf %1 : tensor<2x8xf32>
  %3 = forge.constant dense<1.0> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %x : tensor<2x8xf32>
  %6 = forge.divide %5, %x : tensor<2x8xf32>
  %7 = forge.multiply %6, %4 : tensor<2x8xf32>
  %8 = forge.constant dense<0.5> : tensor<f32>
  %9 = forge.multiply %7, %8 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %9 : tensor<2x8xf32>
}

// The coefficient of the cubic is 0.0447 instead of 0.044715.
func.func @wrong_cubic(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<0.5> : tensor<f32>
  %1 = forge.multiply %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.multiply %x, %x : tensor<2x8xf32>
  %3 = forge.multiply %x, %2 : tensor<2x8xf32>
  %4 = forge.constant dense<0.0447> : tensor<f32>
  %5 = forge.multiply %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %6 = forge.add %x, %5 : tensor<2x8xf32>
  %7 = forge.constant dense<0.797884583> : tensor<f32>
  %8 = forge.multiply %6, %7 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %9 = forge.tanh %8 : tensor<2x8xf32>
  %10 = forge.constant dense<1.0> : tensor<f32>
  %11 = forge.add %9, %10 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %12 = forge.multiply %1, %11 : tensor<2x8xf32>
  return %12 : tensor<2x8xf32>
}

// The factor is 0.8 instead of sqrt(2 / pi).
func.func @wrong_tanh_scale(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<0.5> : tensor<f32>
  %1 = forge.multiply %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.multiply %x, %x : tensor<2x8xf32>
  %3 = forge.multiply %x, %2 : tensor<2x8xf32>
  %4 = forge.constant dense<4.471500e-02> : tensor<f32>
  %5 = forge.multiply %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %6 = forge.add %x, %5 : tensor<2x8xf32>
  %7 = forge.constant dense<0.8> : tensor<f32>
  %8 = forge.multiply %6, %7 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %9 = forge.tanh %8 : tensor<2x8xf32>
  %10 = forge.constant dense<1.0> : tensor<f32>
  %11 = forge.add %9, %10 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %12 = forge.multiply %1, %11 : tensor<2x8xf32>
  return %12 : tensor<2x8xf32>
}

// x is squared instead of cubed.
func.func @wrong_degree(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.multiply %x, %x : tensor<2x8xf32>
  %1 = forge.constant dense<4.471500e-02> : tensor<f32>
  %2 = forge.multiply %0, %1 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %3 = forge.add %x, %2 : tensor<2x8xf32>
  %4 = forge.constant dense<0.797884583> : tensor<f32>
  %5 = forge.multiply %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %6 = forge.tanh %5 : tensor<2x8xf32>
  %7 = forge.constant dense<0.5> : tensor<f32>
  %8 = forge.multiply %x, %7 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %9 = forge.constant dense<1.0> : tensor<f32>
  %10 = forge.add %6, %9 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %11 = forge.multiply %8, %10 : tensor<2x8xf32>
  return %11 : tensor<2x8xf32>
}

// Forge has no HardSwish.
func.func @hard_swish(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<3.0> : tensor<f32>
  %1 = forge.add %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.clip %1 min 0.0 max 6.0 : tensor<2x8xf32>
  %3 = forge.multiply %x, %2 : tensor<2x8xf32>
  %4 = forge.constant dense<6.0> : tensor<f32>
  %5 = forge.divide %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %5 : tensor<2x8xf32>
}

// max(min(x, 0), 1) is 1 everywhere, which no clip with ordered bounds computes.
func.func @crossed_bounds(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<0.0> : tensor<f32>
  %1 = forge.min %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.constant dense<1.0> : tensor<f32>
  %3 = forge.max %1, %2 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// The bounds of forge.clip have to be scalars.
func.func @bounds_per_column(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.0> : tensor<8xf32>
  %1 = forge.min %x, %0 : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  %2 = forge.constant dense<0.0> : tensor<f32>
  %3 = forge.max %1, %2 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// On integers forge.clip would change the type.
func.func @clip_of_integers(%x: tensor<2x8xi32>) -> tensor<2x8xi32> {
  %0 = forge.constant dense<1> : tensor<i32>
  %1 = forge.min %x, %0 : (tensor<2x8xi32>, tensor<i32>) -> tensor<2x8xi32>
  %2 = forge.constant dense<0> : tensor<i32>
  %3 = forge.max %1, %2 : (tensor<2x8xi32>, tensor<i32>) -> tensor<2x8xi32>
  return %3 : tensor<2x8xi32>
}

// Forge has no attention op.
func.func @attention(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x8x4xf32>, %v: tensor<1x2x4x8xf32>, %mask: tensor<1x1x1x4xf32>) -> tensor<1x2x4x8xf32> {
  %0 = forge.matmul %q, %k : (tensor<1x2x4x8xf32>, tensor<1x2x8x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = forge.constant dense<0.353553385> : tensor<f32>
  %2 = forge.multiply %0, %1 : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %3 = forge.add %2, %mask : (tensor<1x2x4x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x2x4x4xf32>
  %4 = forge.softmax %3 dim -1 stable : tensor<1x2x4x4xf32>
  %5 = forge.matmul %4, %v : (tensor<1x2x4x4xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x4x8xf32>
  return %5 : tensor<1x2x4x8xf32>
}

// x / (1 + exp(x)) is no product with a sigmoid of x.
func.func @exp_of_x(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.exp %x : tensor<2x8xf32>
  %1 = forge.constant dense<1.0> : tensor<f32>
  %2 = forge.add %0, %1 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %3 = forge.divide %x, %2 : tensor<2x8xf32>
  return %3 : tensor<2x8xf32>
}

// 1 / (2 + exp(-x)) is no sigmoid.
func.func @exp_plus_two(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<1.0> : tensor<f32>
  %1 = forge.constant dense<-1.0> : tensor<f32>
  %2 = forge.multiply %x, %1 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %3 = forge.exp %2 : tensor<2x8xf32>
  %4 = forge.constant dense<2.0> : tensor<f32>
  %5 = forge.add %3, %4 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %6 = forge.divide %0, %5 : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %6 : tensor<2x8xf32>
}

// x^-0.5 is not 1 / sqrt(x) where x is -0 or -inf.
func.func @inverse_root_of_x(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.constant dense<-0.5> : tensor<f32>
  %1 = forge.power %x, %0 : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// An integer power of a root is NaN for negative values, and the power of x with the product of both exponents is not.
// 1 / (1 + exp(-sqrt(x)^2)) is no sigmoid.
func.func @square_of_root(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %one = forge.constant dense<1.0> : tensor<f32>
  %minus_one = forge.constant dense<-1.0> : tensor<f32>
  %two = forge.constant dense<2.0> : tensor<f32>
  %0 = forge.sqrt %x : tensor<2x8xf32>
  %1 = forge.power %0, %two : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.multiply %1, %minus_one : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %3 = forge.exp %2 : tensor<2x8xf32>
  %4 = forge.add %3, %one : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.divide %one, %4 : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %5 : tensor<2x8xf32>
}

// The same with (x^-0.5)^-2.
func.func @power_of_reciprocal_root(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %one = forge.constant dense<1.0> : tensor<f32>
  %minus_one = forge.constant dense<-1.0> : tensor<f32>
  %root = forge.constant dense<-0.5> : tensor<f32>
  %power = forge.constant dense<-2.0> : tensor<f32>
  %0 = forge.power %x, %root : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %1 = forge.power %0, %power : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.multiply %1, %minus_one : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %3 = forge.exp %2 : tensor<2x8xf32>
  %4 = forge.add %3, %one : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.divide %one, %4 : (tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %5 : tensor<2x8xf32>
}

// erf((x^0.5)^2 / sqrt(2)) is not that of a Gelu.
func.func @gelu_of_square_of_root(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %half = forge.constant dense<0.5> : tensor<f32>
  %one = forge.constant dense<1.0> : tensor<f32>
  %two = forge.constant dense<2.0> : tensor<f32>
  %root_of_two = forge.constant dense<1.41421354> : tensor<f32>
  %0 = forge.power %x, %half : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %1 = forge.power %0, %two : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %2 = forge.divide %1, %root_of_two : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %3 = forge.erf %2 : tensor<2x8xf32>
  %4 = forge.add %3, %one : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  %5 = forge.multiply %x, %4 : tensor<2x8xf32>
  %6 = forge.multiply %5, %half : (tensor<2x8xf32>, tensor<f32>) -> tensor<2x8xf32>
  return %6 : tensor<2x8xf32>
}

// (sqrt(x - mean(x)))^4 is not the square of x - mean(x): this is no layer norm.
func.func @norm_of_power_of_root(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %scale = forge.parameter "scale" : tensor<8xf32>
  %four = forge.constant dense<4.0> : tensor<f32>
  %epsilon = forge.constant dense<1.0e-05> : tensor<f32>
  %0 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %1 = forge.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %2 = forge.sqrt %1 : tensor<2x3x8xf32>
  %3 = forge.power %2, %four : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %4 = forge.reduce_avg %3 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %5 = forge.add %4, %epsilon : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %6 = forge.sqrt %5 : tensor<2x3x1xf32>
  %7 = forge.divide %1, %6 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %8 = forge.multiply %7, %scale : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %8 : tensor<2x3x8xf32>
}

// Factors next to -1 in 16 bits: exp(-x) would be wrong by a multiple of x.
func.func @sigmoid_of_other_factors(%x: tensor<2x4xbf16>, %y: tensor<2x4xf16>) -> (tensor<2x4xbf16>, tensor<2x4xf16>) {
  %0 = forge.scalar_constant constant -1.0078125 dtype bf16 : () -> tensor<1xbf16>
  %1 = forge.scalar_constant constant 1.0 dtype bf16 : () -> tensor<1xbf16>
  %2 = forge.multiply %x, %0 : (tensor<2x4xbf16>, tensor<1xbf16>) -> tensor<2x4xbf16>
  %3 = forge.exp %2 : tensor<2x4xbf16>
  %4 = forge.add %3, %1 : (tensor<2x4xbf16>, tensor<1xbf16>) -> tensor<2x4xbf16>
  %5 = forge.divide %x, %4 : tensor<2x4xbf16>
  %6 = forge.scalar_constant constant -0.99951171875 dtype f16 : () -> tensor<1xf16>
  %7 = forge.scalar_constant constant 1.0 dtype f16 : () -> tensor<1xf16>
  %8 = forge.multiply %y, %6 : (tensor<2x4xf16>, tensor<1xf16>) -> tensor<2x4xf16>
  %9 = forge.exp %8 : tensor<2x4xf16>
  %10 = forge.add %9, %7 : (tensor<2x4xf16>, tensor<1xf16>) -> tensor<2x4xf16>
  %11 = forge.divide %7, %10 : (tensor<1xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
  return %5, %11 : tensor<2x4xbf16>, tensor<2x4xf16>
}

// The erf is of x * 0.7109375, where 1 / sqrt(2) is 0.70703125 in bfloat16.
func.func @gelu_of_other_root(%x: tensor<2x4xbf16>) -> tensor<2x4xbf16> {
  %root = forge.scalar_constant constant 0.7109375 dtype bf16 : () -> tensor<1xbf16>
  %one = forge.scalar_constant constant 1.0 dtype bf16 : () -> tensor<1xbf16>
  %half = forge.scalar_constant constant 0.5 dtype bf16 : () -> tensor<1xbf16>
  %0 = forge.multiply %x, %root : (tensor<2x4xbf16>, tensor<1xbf16>) -> tensor<2x4xbf16>
  %1 = forge.erf %0 : tensor<2x4xbf16>
  %2 = forge.add %1, %one : (tensor<2x4xbf16>, tensor<1xbf16>) -> tensor<2x4xbf16>
  %3 = forge.multiply %x, %2 : tensor<2x4xbf16>
  %4 = forge.multiply %3, %half : (tensor<2x4xbf16>, tensor<1xbf16>) -> tensor<2x4xbf16>
  return %4 : tensor<2x4xbf16>
}

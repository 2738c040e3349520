// Sequences of ops that resemble a layer norm, but compute another function, or whose fusion saves nothing: the pass
// leaves every op unchanged.
// RUN: forge-opt %s --forge-fuse-patterns > %t.fused
// RUN: forge-opt %s > %t.plain
// RUN: diff %t.plain %t.fused
// RUN: FileCheck %s < %t.fused

// CHECK-LABEL: func.func @epsilon_outside(

// The epsilon is added after the square root.
func.func @epsilon_outside(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x3x8xf32>
  %5 = forge.reduce_avg %4 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = forge.sqrt %5 : tensor<2x3x1xf32>
  %7 = forge.constant dense<1.0e-05> : tensor<f32>
  %8 = forge.add %6, %7 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %9 = forge.divide %3, %8 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %10 = forge.multiply %9, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %11 = forge.add %10, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %11 : tensor<2x3x8xf32>
}

// There is no epsilon.
func.func @no_epsilon(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x3x8xf32>
  %5 = forge.reduce_avg %4 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = forge.sqrt %5 : tensor<2x3x1xf32>
  %7 = forge.divide %3, %6 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %8 = forge.multiply %7, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %9 = forge.add %8, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %9 : tensor<2x3x8xf32>
}

// The epsilon differs by column.
func.func @epsilon_per_column(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %2 = forge.subtract %x, %1 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %3 = forge.multiply %2, %2 : tensor<2x3x8xf32>
  %4 = forge.reduce_avg %3 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %5 = forge.constant dense<[1.0e-05, 2.0e-05, 3.0e-05, 4.0e-05, 5.0e-05, 6.0e-05, 7.0e-05, 8.0e-05]> : tensor<8xf32>
  %6 = forge.add %4, %5 : (tensor<2x3x1xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %7 = forge.sqrt %6 : tensor<2x3x8xf32>
  %8 = forge.divide %2, %7 : tensor<2x3x8xf32>
  %9 = forge.multiply %8, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %9 : tensor<2x3x8xf32>
}

// The mean is over another axis than the last, although the scale would have the right shape.
func.func @other_axis(%x: tensor<2x8x8xf32>) -> tensor<2x8x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -2 keep_dim : (tensor<2x8x8xf32>) -> tensor<2x1x8xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x8x8xf32>, tensor<2x1x8xf32>) -> tensor<2x8x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x8x8xf32>
  %5 = forge.reduce_avg %4 dim -2 keep_dim : (tensor<2x8x8xf32>) -> tensor<2x1x8xf32>
  %6 = forge.constant dense<1.0e-05> : tensor<f32>
  %7 = forge.add %5, %6 : (tensor<2x1x8xf32>, tensor<f32>) -> tensor<2x1x8xf32>
  %8 = forge.sqrt %7 : tensor<2x1x8xf32>
  %9 = forge.divide %3, %8 : (tensor<2x8x8xf32>, tensor<2x1x8xf32>) -> tensor<2x8x8xf32>
  %10 = forge.multiply %9, %0 : (tensor<2x8x8xf32>, tensor<8xf32>) -> tensor<2x8x8xf32>
  %11 = forge.add %10, %1 : (tensor<2x8x8xf32>, tensor<8xf32>) -> tensor<2x8x8xf32>
  return %11 : tensor<2x8x8xf32>
}

// The mean has no keep_dim and broadcasts along another axis.
func.func @dropped_axis(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.reduce_avg %x dim -1 : (tensor<8x8xf32>) -> tensor<8xf32>
  %2 = forge.subtract %x, %1 : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %3 = forge.multiply %2, %2 : tensor<8x8xf32>
  %4 = forge.reduce_avg %3 dim -1 keep_dim : (tensor<8x8xf32>) -> tensor<8x1xf32>
  %5 = forge.constant dense<1.0e-05> : tensor<f32>
  %6 = forge.add %4, %5 : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
  %7 = forge.sqrt %6 : tensor<8x1xf32>
  %8 = forge.divide %2, %7 : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
  %9 = forge.multiply %8, %0 : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  return %9 : tensor<8x8xf32>
}

// The variance divides by n - 1.
func.func @unbiased_variance(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %2 = forge.subtract %x, %1 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %3 = forge.multiply %2, %2 : tensor<2x3x8xf32>
  %4 = forge.reduce_sum %3 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %5 = forge.constant dense<7.0> : tensor<f32>
  %6 = forge.divide %4, %5 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %7 = forge.constant dense<1.0e-05> : tensor<f32>
  %8 = forge.add %6, %7 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %9 = forge.sqrt %8 : tensor<2x3x1xf32>
  %10 = forge.divide %2, %9 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %11 = forge.multiply %10, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %11 : tensor<2x3x8xf32>
}

// x itself, not x - mean, is divided by the standard deviation.
func.func @other_numerator(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %2 = forge.subtract %x, %1 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %3 = forge.multiply %2, %2 : tensor<2x3x8xf32>
  %4 = forge.reduce_avg %3 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %5 = forge.constant dense<1.0e-05> : tensor<f32>
  %6 = forge.add %4, %5 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %7 = forge.sqrt %6 : tensor<2x3x1xf32>
  %8 = forge.divide %x, %7 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %9 = forge.multiply %8, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %9 : tensor<2x3x8xf32>
}

// The scale is per row, not per column.
func.func @scale_per_row(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<3x1xf32>
  %1 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %2 = forge.subtract %x, %1 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %3 = forge.multiply %2, %2 : tensor<2x3x8xf32>
  %4 = forge.reduce_avg %3 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %5 = forge.constant dense<1.0e-05> : tensor<f32>
  %6 = forge.add %4, %5 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %7 = forge.sqrt %6 : tensor<2x3x1xf32>
  %8 = forge.divide %2, %7 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %9 = forge.multiply %8, %0 : (tensor<2x3x8xf32>, tensor<3x1xf32>) -> tensor<2x3x8xf32>
  return %9 : tensor<2x3x8xf32>
}

// The scale has an element for each element of x.
func.func @scale_per_element(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<2x3x8xf32>
  %1 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %2 = forge.subtract %x, %1 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %3 = forge.multiply %2, %2 : tensor<2x3x8xf32>
  %4 = forge.reduce_avg %3 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %5 = forge.constant dense<1.0e-05> : tensor<f32>
  %6 = forge.add %4, %5 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %7 = forge.sqrt %6 : tensor<2x3x1xf32>
  %8 = forge.divide %2, %7 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %9 = forge.multiply %8, %0 : tensor<2x3x8xf32>
  return %9 : tensor<2x3x8xf32>
}

// The scale has a higher rank than x.
func.func @scale_of_higher_rank(%x: tensor<2x3x8xf32>) -> tensor<1x2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<1x1x1x8xf32>
  %1 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %2 = forge.subtract %x, %1 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %3 = forge.multiply %2, %2 : tensor<2x3x8xf32>
  %4 = forge.reduce_avg %3 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %5 = forge.constant dense<1.0e-05> : tensor<f32>
  %6 = forge.add %4, %5 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %7 = forge.sqrt %6 : tensor<2x3x1xf32>
  %8 = forge.divide %2, %7 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %9 = forge.multiply %8, %0 : (tensor<2x3x8xf32>, tensor<1x1x1x8xf32>) -> tensor<1x2x3x8xf32>
  return %9 : tensor<1x2x3x8xf32>
}

// Without a scale, forge.layernorm would multiply by ones.
func.func @no_scale(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %1 = forge.subtract %x, %0 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %2 = forge.multiply %1, %1 : tensor<2x3x8xf32>
  %3 = forge.reduce_avg %2 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %4 = forge.constant dense<1.0e-05> : tensor<f32>
  %5 = forge.add %3, %4 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %6 = forge.sqrt %5 : tensor<2x3x1xf32>
  %7 = forge.divide %1, %6 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  return %7 : tensor<2x3x8xf32>
}

// Forge has no RMS norm; these are the ops from which its compiler recognises one.
func.func @rms_norm(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.multiply %x, %x : tensor<2x3x8xf32>
  %2 = forge.reduce_avg %1 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.constant dense<1.0e-05> : tensor<f32>
  %4 = forge.add %2, %3 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %5 = forge.constant dense<1.0> : tensor<f32>
  %6 = forge.sqrt %4 : tensor<2x3x1xf32>
  %7 = forge.divide %5, %6 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %8 = forge.multiply %x, %7 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %9 = forge.multiply %8, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %9 : tensor<2x3x8xf32>
}

// The layer norm has a bias already, and a second one cannot replace it.
func.func @second_bias(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.layernorm %x, %0, %1 dim -1 epsilon 9.99999974E-6 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %3 = forge.add %2, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %3 : tensor<2x3x8xf32>
}

// The layer norm without the bias has another user.
func.func @bias_of_a_shared_norm(%x: tensor<2x3x8xf32>) -> (tensor<2x3x8xf32>, tensor<2x3x8xf32>) {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.constant dense<-0.0> : tensor<8xf32>
  %3 = forge.layernorm %x, %0, %2 dim -1 epsilon 9.99999974E-6 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %4 = forge.add %3, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %4, %3 : tensor<2x3x8xf32>, tensor<2x3x8xf32>
}

// CHECK-LABEL: func.func @bias_of_float16(

// A layer norm has operands of one type.
func.func @bias_of_float16(%x: tensor<2x3x8xf32>, %y: tensor<2x3x8xf32>) -> (tensor<2x3x8xf32>, tensor<2x3x8xf32>) {
  %0 = forge.parameter "scale" : tensor<8xbf16>
  %1 = forge.parameter "bias" : tensor<8xf16>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x3x8xf32>
  %5 = forge.reduce_avg %4 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = forge.constant dense<9.99999974E-6> : tensor<f32>
  %7 = forge.add %5, %6 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %8 = forge.sqrt %7 : tensor<2x3x1xf32>
  %9 = forge.divide %3, %8 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %10 = forge.multiply %9, %0 : (tensor<2x3x8xf32>, tensor<8xbf16>) -> tensor<2x3x8xf32>
  %ones = forge.parameter "ones" : tensor<8xf32>
  %zeros = forge.constant dense<-0.0> : tensor<8xf32>
  %11 = forge.layernorm %y, %ones, %zeros dim -1 epsilon 1.0e-5 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %12 = forge.add %11, %1 : (tensor<2x3x8xf32>, tensor<8xf16>) -> tensor<2x3x8xf32>
  return %10, %12 : tensor<2x3x8xf32>, tensor<2x3x8xf32>
}

// CHECK-LABEL: func.func @bias_after_zeros(

// -0 + 0 + -0 is 0, but -0 + -0 is -0. The norm is -0 where its scale is 0, and a bias of the file may be -0.
func.func @bias_after_zeros(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %zeros = forge.constant dense<0.0> : tensor<8xf32>
  %2 = forge.layernorm %x, %0, %zeros dim -1 epsilon 1.0e-5 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %3 = forge.add %2, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %3 : tensor<2x3x8xf32>
}

// RUN: forge-opt %s --forge-fuse-patterns | FileCheck %s

// TorchScript's exporter before opset 17: the square is a power, and the difference is divided by the square root.
// CHECK-LABEL: func.func @layernorm_pow_div(
// CHECK: %[[S:.+]] = forge.parameter "scale"
// CHECK: %[[B:.+]] = forge.parameter "bias"
// CHECK-NEXT: %[[Y:.+]] = forge.layernorm %arg0, %[[S]], %[[B]] dim -1 epsilon 9.99999974E-6 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @layernorm_pow_div(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.constant dense<2.0> : tensor<f32>
  %5 = forge.power %3, %4 : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %6 = forge.reduce_avg %5 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %7 = forge.constant dense<1.0e-05> : tensor<f32>
  %8 = forge.add %6, %7 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %9 = forge.sqrt %8 : tensor<2x3x1xf32>
  %10 = forge.divide %3, %9 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %11 = forge.multiply %10, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %12 = forge.add %11, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %12 : tensor<2x3x8xf32>
}

// The square is a multiplication, as Pow(x, 2) is converted.
// CHECK-LABEL: func.func @layernorm_mul_div(
// CHECK: %[[S:.+]] = forge.parameter "scale"
// CHECK: %[[B:.+]] = forge.parameter "bias"
// CHECK-NEXT: %[[Y:.+]] = forge.layernorm %arg0, %[[S]], %[[B]] dim -1 epsilon 9.99999974E-6 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @layernorm_mul_div(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x3x8xf32>
  %5 = forge.reduce_avg %4 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = forge.constant dense<1.0e-05> : tensor<f32>
  %7 = forge.add %5, %6 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %8 = forge.sqrt %7 : tensor<2x3x1xf32>
  %9 = forge.divide %3, %8 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %10 = forge.multiply %9, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %11 = forge.add %10, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %11 : tensor<2x3x8xf32>
}

// The difference is multiplied by the reciprocal of the square root; operands of commutative ops are swapped.
// CHECK-LABEL: func.func @layernorm_reciprocal(
// CHECK: %[[S:.+]] = forge.parameter "scale"
// CHECK: %[[B:.+]] = forge.parameter "bias"
// CHECK-NEXT: %[[Y:.+]] = forge.layernorm %arg0, %[[S]], %[[B]] dim -1 epsilon 9.99999974E-6 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @layernorm_reciprocal(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x3x8xf32>
  %5 = forge.reduce_avg %4 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = forge.constant dense<1.0e-05> : tensor<f32>
  %7 = forge.add %6, %5 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %8 = forge.constant dense<1.0> : tensor<f32>
  %9 = forge.sqrt %7 : tensor<2x3x1xf32>
  %10 = forge.divide %8, %9 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %11 = forge.multiply %3, %10 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %12 = forge.multiply %0, %11 : (tensor<8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %13 = forge.add %1, %12 : (tensor<8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %13 : tensor<2x3x8xf32>
}

// The difference is multiplied by the power -0.5.
// CHECK-LABEL: func.func @layernorm_power(
// CHECK: %[[S:.+]] = forge.parameter "scale"
// CHECK: %[[B:.+]] = forge.parameter "bias"
// CHECK-NEXT: %[[Y:.+]] = forge.layernorm %arg0, %[[S]], %[[B]] dim -1 epsilon 9.99999974E-6 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @layernorm_power(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x3x8xf32>
  %5 = forge.reduce_avg %4 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = forge.constant dense<1.0e-05> : tensor<f32>
  %7 = forge.add %5, %6 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %8 = forge.constant dense<-0.5> : tensor<f32>
  %9 = forge.power %7, %8 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %10 = forge.multiply %9, %3 : (tensor<2x3x1xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %11 = forge.multiply %10, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %12 = forge.add %11, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %12 : tensor<2x3x8xf32>
}

// The difference is divided by the power 0.5.
// CHECK-LABEL: func.func @layernorm_root_by_power(
// CHECK: %[[S:.+]] = forge.parameter "scale"
// CHECK: %[[B:.+]] = forge.parameter "bias"
// CHECK-NEXT: %[[Y:.+]] = forge.layernorm %arg0, %[[S]], %[[B]] dim -1 epsilon 9.99999974E-6 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @layernorm_root_by_power(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x3x8xf32>
  %5 = forge.reduce_avg %4 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = forge.constant dense<1.0e-05> : tensor<f32>
  %7 = forge.add %5, %6 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %8 = forge.constant dense<0.5> : tensor<f32>
  %9 = forge.power %7, %8 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %10 = forge.divide %3, %9 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %11 = forge.multiply %10, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %12 = forge.add %11, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %12 : tensor<2x3x8xf32>
}

// The scale is applied before the division.
// CHECK-LABEL: func.func @layernorm_scale_first(
// CHECK: %[[S:.+]] = forge.parameter "scale"
// CHECK: %[[B:.+]] = forge.parameter "bias"
// CHECK-NEXT: %[[Y:.+]] = forge.layernorm %arg0, %[[S]], %[[B]] dim -1 epsilon 9.99999974E-6 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @layernorm_scale_first(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x3x8xf32>
  %5 = forge.reduce_avg %4 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = forge.constant dense<1.0e-05> : tensor<f32>
  %7 = forge.add %5, %6 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %8 = forge.multiply %3, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %9 = forge.sqrt %7 : tensor<2x3x1xf32>
  %10 = forge.divide %8, %9 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %11 = forge.add %10, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %11 : tensor<2x3x8xf32>
}

// The last axis is given by a non-negative dim.
// CHECK-LABEL: func.func @layernorm_positive_dim(
// CHECK: %[[S:.+]] = forge.parameter "scale"
// CHECK: %[[B:.+]] = forge.parameter "bias"
// CHECK-NEXT: %[[Y:.+]] = forge.layernorm %arg0, %[[S]], %[[B]] dim -1 epsilon 9.99999974E-6 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @layernorm_positive_dim(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim 2 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x3x8xf32>
  %5 = forge.reduce_avg %4 dim 2 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = forge.constant dense<1.0e-05> : tensor<f32>
  %7 = forge.add %5, %6 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %8 = forge.sqrt %7 : tensor<2x3x1xf32>
  %9 = forge.divide %3, %8 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %10 = forge.multiply %9, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %11 = forge.add %10, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %11 : tensor<2x3x8xf32>
}

// The difference is computed twice.
// CHECK-LABEL: func.func @layernorm_two_differences(
// CHECK: %[[S:.+]] = forge.parameter "scale"
// CHECK: %[[B:.+]] = forge.parameter "bias"
// CHECK-NEXT: %[[Y:.+]] = forge.layernorm %arg0, %[[S]], %[[B]] dim -1 epsilon 9.99999974E-6 : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @layernorm_two_differences(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.parameter "bias" : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %5 = forge.subtract %x, %4 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %6 = forge.multiply %5, %5 : tensor<2x3x8xf32>
  %7 = forge.reduce_avg %6 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %8 = forge.constant dense<1.0e-05> : tensor<f32>
  %9 = forge.add %7, %8 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %10 = forge.sqrt %9 : tensor<2x3x1xf32>
  %11 = forge.divide %3, %10 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %12 = forge.multiply %11, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %13 = forge.add %12, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %13 : tensor<2x3x8xf32>
}

// There is no bias: forge.layernorm gets zeros of -0, which do not change the sign of a zero.
// CHECK-LABEL: func.func @layernorm_without_bias(
// CHECK: %[[S:.+]] = forge.parameter "scale"
// CHECK-NEXT: %[[B:.+]] = forge.constant dense<-0.000000e+00> : tensor<8xf32>
// CHECK-NEXT: %[[Y:.+]] = forge.layernorm %arg0, %[[S]], %[[B]] dim -1 epsilon 9.99999974E-6
// CHECK-NEXT: return %[[Y]]
func.func @layernorm_without_bias(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.parameter "scale" : tensor<8xf32>
  %1 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %2 = forge.subtract %x, %1 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %3 = forge.multiply %2, %2 : tensor<2x3x8xf32>
  %4 = forge.reduce_avg %3 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %5 = forge.constant dense<1.0e-05> : tensor<f32>
  %6 = forge.add %4, %5 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %7 = forge.sqrt %6 : tensor<2x3x1xf32>
  %8 = forge.divide %2, %7 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %9 = forge.multiply %8, %0 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %9 : tensor<2x3x8xf32>
}

// The scale has rank 3, and scale and bias are small enough to be constants, here splats.
// CHECK-LABEL: func.func @layernorm_scale_of_rank_3(
// CHECK: %[[S:.+]] = forge.constant dense<1.000000e+00> : tensor<1x1x8xf32>
// CHECK-NEXT: %[[B:.+]] = forge.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK: %[[Y:.+]] = forge.layernorm %arg0, %[[S]], %[[B]] dim -1 epsilon 9.99999974E-6
// CHECK-NEXT: return %[[Y]]
func.func @layernorm_scale_of_rank_3(%x: tensor<2x3x8xf32>) -> tensor<2x3x8xf32> {
  %0 = forge.constant dense<1.0> : tensor<1x1x8xf32>
  %1 = forge.constant dense<0.0> : tensor<8xf32>
  %2 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %3 = forge.subtract %x, %2 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %4 = forge.multiply %3, %3 : tensor<2x3x8xf32>
  %5 = forge.reduce_avg %4 dim -1 keep_dim : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %6 = forge.constant dense<1.0e-05> : tensor<f32>
  %7 = forge.add %5, %6 : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %8 = forge.sqrt %7 : tensor<2x3x1xf32>
  %9 = forge.divide %3, %8 : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %10 = forge.multiply %9, %0 : (tensor<2x3x8xf32>, tensor<1x1x8xf32>) -> tensor<2x3x8xf32>
  %11 = forge.add %10, %1 : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  return %11 : tensor<2x3x8xf32>
}

// An RMS norm that uses a power is rewritten to use a square root.
// CHECK-LABEL: func.func @rms_norm_power(
// CHECK: %[[V:.+]] = forge.add
// CHECK-NEXT: %[[ONE:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[R:.+]] = forge.sqrt %[[V]]
// CHECK-NEXT: %[[I:.+]] = forge.divide %[[ONE]], %[[R]]
// CHECK-NEXT: %[[Y:.+]] = forge.multiply %arg0, %[[I]]
// CHECK-NEXT: return %[[Y]]
func.func @rms_norm_power(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = forge.multiply %x, %x : tensor<2x8xf32>
  %1 = forge.reduce_avg %0 dim -1 keep_dim : (tensor<2x8xf32>) -> tensor<2x1xf32>
  %2 = forge.constant dense<1.0e-06> : tensor<f32>
  %3 = forge.add %1, %2 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %4 = forge.constant dense<-0.5> : tensor<f32>
  %5 = forge.power %3, %4 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
  %6 = forge.multiply %x, %5 : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  return %6 : tensor<2x8xf32>
}

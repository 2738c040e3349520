// RUN: forge-opt %s --forge-simplify-arithmetic | FileCheck %s

// The sign of a zero that becomes a divisor is kept: for a float -0, the cast to integers and back gives +0.
// CHECK-LABEL: func.func @divisor_from_integers(
//       CHECK: %[[WHOLE:.+]] = forge.multiply
//       CHECK: %[[INTEGERS:.+]] = forge.cast %[[WHOLE]] dtype i32
//       CHECK: %[[FLOATS:.+]] = forge.cast %[[INTEGERS]] dtype f32
//       CHECK: forge.divide %arg1, %[[FLOATS]]
func.func @divisor_from_integers(%x: tensor<4xi8>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %minus = forge.constant dense<-1.0> : tensor<f32>
  %0 = forge.cast %x dtype f32 : (tensor<4xi8>) -> tensor<4xf32>
  %1 = forge.multiply %0, %minus : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<4xf32>) -> tensor<4xi32>
  %3 = forge.cast %2 dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  %4 = forge.divide %y, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}

// A factor does not show the sign: the casts are removed.
// CHECK-LABEL: func.func @factor_from_integers(
//       CHECK: %[[WHOLE:.+]] = forge.multiply
//  CHECK-NEXT: forge.multiply %arg1, %[[WHOLE]]
func.func @factor_from_integers(%x: tensor<4xi8>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %minus = forge.constant dense<-1.0> : tensor<f32>
  %0 = forge.cast %x dtype f32 : (tensor<4xi8>) -> tensor<4xf32>
  %1 = forge.multiply %0, %minus : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<4xf32>) -> tensor<4xi32>
  %3 = forge.cast %2 dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  %4 = forge.multiply %y, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}

// Another partition may divide by the result of this one.
// CHECK-LABEL: func.func @result_of_a_partition(
//       CHECK: %[[FLOATS:.+]] = forge.cast %{{.+}} dtype f32 : (tensor<4xi32>)
//       CHECK: return %[[FLOATS]]
func.func @result_of_a_partition(%x: tensor<4xi8>) -> tensor<4xf32> attributes {forge.partition = "device"} {
  %minus = forge.constant dense<-1.0> : tensor<f32>
  %0 = forge.cast %x dtype f32 : (tensor<4xi8>) -> tensor<4xf32>
  %1 = forge.multiply %0, %minus : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<4xf32>) -> tensor<4xi32>
  %3 = forge.cast %2 dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// (-0 - 3) + 3 is +0, but -0 - 0 is -0: both subtractions stay before a division, unless the subtrahends do not cancel.
// CHECK-LABEL: func.func @cancelled(
//       CHECK: %[[FIRST:.+]] = forge.subtract
//       CHECK: %[[SECOND:.+]] = forge.subtract %[[FIRST]]
//       CHECK: forge.divide %arg1, %[[SECOND]]
//       CHECK: %[[FIVE:.+]] = forge.constant dense<5.000000e+00>
//       CHECK: %[[SUM:.+]] = forge.subtract %{{.+}}, %[[FIVE]]
//       CHECK: forge.divide %arg1, %[[SUM]]
func.func @cancelled(%x: tensor<4xi8>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %minus = forge.constant dense<-1.0> : tensor<f32>
  %three = forge.constant dense<3.0> : tensor<f32>
  %minus_three = forge.constant dense<-3.0> : tensor<f32>
  %two = forge.constant dense<2.0> : tensor<f32>
  %0 = forge.cast %x dtype f32 : (tensor<4xi8>) -> tensor<4xf32>
  %1 = forge.multiply %0, %minus : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = forge.subtract %1, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = forge.subtract %2, %minus_three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = forge.divide %y, %3 : tensor<4xf32>
  %5 = forge.subtract %2, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = forge.divide %y, %5 : tensor<4xf32>
  return %4, %6 : tensor<4xf32>, tensor<4xf32>
}

// 2^17, the reciprocal of 2^-17, is infinite in float16: x = 0 would become NaN. The reciprocal of 2^-3 is not.
// CHECK-LABEL: func.func @reciprocal_in_float16(
//       CHECK: %[[TINY:.+]] = forge.constant
//       CHECK: forge.divide %arg0, %[[TINY]]
//       CHECK: %[[EIGHT:.+]] = forge.constant dense<8.000000e+00> : tensor<f16>
//       CHECK: forge.multiply %arg0, %[[EIGHT]]
func.func @reciprocal_in_float16(%x: tensor<4xf16>) -> (tensor<4xf16>, tensor<4xf16>) {
  %tiny = forge.constant dense<7.62939453125e-06> : tensor<f16>
  %eighth = forge.constant dense<0.125> : tensor<f16>
  %0 = forge.divide %x, %tiny : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %1 = forge.divide %x, %eighth : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return %0, %1 : tensor<4xf16>, tensor<4xf16>
}

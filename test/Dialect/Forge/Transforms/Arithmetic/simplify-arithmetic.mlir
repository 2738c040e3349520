// RUN: forge-opt %s --forge-simplify-arithmetic | FileCheck %s

// A quantisation followed by its dequantisation: the values stay floats, and the zero point cancels.
// CHECK-LABEL: func.func @quantised(
//      CHECK: %[[C:.+]] = forge.clip %{{.+}} min -1.000000e+01 max 2.450000e+02
//      CHECK: %[[A:.+]] = forge.add %[[C]], %[[M:[^ ]+]] :
//      CHECK: %[[N:.+]] = forge.constant dense<0x4B400000>
//      CHECK: %[[Y:.+]] = forge.subtract %[[A]], %[[N]]
// CHECK-NEXT: return %[[Y]]
func.func @quantised(%x: tensor<8xi32>) -> tensor<8xf32> {
  %zero = forge.constant dense<10> : tensor<ui8>
  %zero_wide = forge.constant dense<10> : tensor<i32>
  %shift = forge.constant dense<12582912.0> : tensor<f32>
  %back = forge.constant dense<12582902.0> : tensor<f32>
  %r = forge.cast %x dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
  %0 = forge.clip %r min -10.0 max 245.0 : tensor<8xf32>
  %1 = forge.add %0, %shift : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = forge.subtract %1, %back : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = forge.cast %2 dtype ui8 : (tensor<8xf32>) -> tensor<8xui8>
  %4 = forge.cast %3 dtype i32 : (tensor<8xui8>) -> tensor<8xi32>
  %5 = forge.subtract %4, %zero_wide : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
  %6 = forge.cast %5 dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}

// The clip bounds are wider than ui8, so that the cast may wrap and has to stay.
// CHECK-LABEL: func.func @wrapped(
//       CHECK: forge.cast %{{.+}} dtype ui8
func.func @wrapped(%x: tensor<8xi32>) -> tensor<8xf32> {
  %shift = forge.constant dense<12582912.0> : tensor<f32>
  %r = forge.cast %x dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
  %0 = forge.clip %r min -1.0 max 255.0 : tensor<8xf32>
  %1 = forge.add %0, %shift : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = forge.subtract %1, %shift : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = forge.cast %2 dtype ui8 : (tensor<8xf32>) -> tensor<8xui8>
  %4 = forge.cast %3 dtype f32 : (tensor<8xui8>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// Multiples of 0.5 are not integers: the cast to i32 truncates them and has to stay.
// CHECK-LABEL: func.func @fractions(
//       CHECK: forge.cast %{{.+}} dtype i32
func.func @fractions(%x: tensor<8xi32>) -> tensor<8xf32> {
  %half = forge.constant dense<0.5> : tensor<f32>
  %r = forge.cast %x dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
  %0 = forge.multiply %r, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = forge.clip %0 min 0.0 max 100.0 : tensor<8xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<8xf32>) -> tensor<8xi32>
  %3 = forge.cast %2 dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// CHECK-LABEL: func.func @nan_guard_of_integers(
//  CHECK-NOT: forge.where
func.func @nan_guard_of_integers(%x: tensor<8xi32>) -> tensor<8xf32> {
  %low = forge.constant dense<-1.0> : tensor<f32>
  %r = forge.cast %x dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
  %0 = forge.equal %r, %r : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = forge.cast %0 dtype i1 : (tensor<8xf32>) -> tensor<8xi1>
  %2 = forge.where %1, %r, %low : (tensor<8xi1>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// An argument may be NaN, and so is the difference of two infinities: both guards stay.
// CHECK-LABEL: func.func @nan_guard_of_any_float(
// CHECK-COUNT-2: forge.where
func.func @nan_guard_of_any_float(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %low = forge.constant dense<0xFF800000> : tensor<f32>
  %0 = forge.equal %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = forge.cast %0 dtype i1 : (tensor<8xf32>) -> tensor<8xi1>
  %2 = forge.where %1, %x, %low : (tensor<8xi1>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = forge.subtract %2, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = forge.equal %3, %3 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = forge.cast %4 dtype i1 : (tensor<8xf32>) -> tensor<8xi1>
  %6 = forge.where %5, %3, %low : (tensor<8xi1>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %2, %6 : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @bounds(
//   CHECK-NOT: forge.relu
//       CHECK: forge.clip %{{.+}} min 0.000000e+00 max 6.000000e+00
//   CHECK-NOT: forge.clip
//       CHECK: return
func.func @bounds(%x: tensor<8xi32>) -> tensor<8xf32> {
  %r = forge.cast %x dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
  %0 = forge.clip %r min 0.0 max 6.0 : tensor<8xf32>
  %1 = forge.relu %0 : tensor<8xf32>
  %2 = forge.clip %1 min -1.0 max 7.0 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// No range is derived for complex constants.
// CHECK-LABEL: func.func @complex(
func.func @complex() -> tensor<2xcomplex<f32>> {
  // CHECK-NEXT: forge.constant dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>
  %0 = forge.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @times_one(
//       CHECK: %[[W:.+]] = forge.multiply %arg1, %{{.+}} : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
//       CHECK: %[[S:.+]] = forge.multiply %arg0, %{{.+}} : tensor<4xf32>
//  CHECK-NEXT: return %arg0, %arg2, %[[W]], %[[S]]
func.func @times_one(%x: tensor<4xf32>, %y: tensor<1xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) {
  %one = forge.constant dense<1.0> : tensor<f32>
  %ones = forge.constant dense<1.0> : tensor<4xf32>
  %whole = forge.constant dense<1> : tensor<i32>
  %0 = forge.multiply %one, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = forge.divide %0, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = forge.multiply %i, %whole : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %3 = forge.multiply %y, %ones : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = forge.multiply %x, %ones : tensor<4xf32>
  return %1, %2, %3, %4 : tensor<4xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}

// A sum, mean or maximum over an axis of size 1 is its operand.
// CHECK-LABEL: func.func @reductions_of_one(
//  CHECK-NEXT: %[[X:.+]] = forge.reshape %arg0 shape [4] : (tensor<1x4xf32>) -> tensor<4xf32>
//  CHECK-NEXT: %[[SUM:.+]] = forge.reduce_sum %arg0 dim 1 keep_dim : (tensor<1x4xf32>) -> tensor<1x1xf32>
//  CHECK-NEXT: return %arg0, %[[X]], %arg1, %[[SUM]]
func.func @reductions_of_one(%x: tensor<1x4xf32>, %i: tensor<4x1xi32>) -> (tensor<1x4xf32>, tensor<4xf32>, tensor<4x1xi32>, tensor<1x1xf32>) {
  %0 = forge.reduce_avg %x dim 0 keep_dim : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %1 = forge.reduce_sum %x dim 0 : (tensor<1x4xf32>) -> tensor<4xf32>
  %2 = forge.reduce_max %i dim -1 keep_dim : (tensor<4x1xi32>) -> tensor<4x1xi32>
  %3 = forge.reduce_sum %x dim 1 keep_dim : (tensor<1x4xf32>) -> tensor<1x1xf32>
  return %0, %1, %2, %3 : tensor<1x4xf32>, tensor<4xf32>, tensor<4x1xi32>, tensor<1x1xf32>
}

// x - 0 is x, also for -0; but x - (-0) is not, because -0 - -0 is +0.
// CHECK-LABEL: func.func @zeros_of_both_signs(
// CHECK:         %[[LESS:.*]] = forge.subtract %arg0
// CHECK:         return %arg0, %[[LESS]]
func.func @zeros_of_both_signs(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = forge.constant dense<0.0> : tensor<f32>
  %negative = forge.constant dense<-0.0> : tensor<f32>
  %0 = forge.subtract %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = forge.subtract %x, %negative : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A clip is removed if its operand is within the bounds or NaN, because a clip passes NaN on. That holds for a sigmoid
// and for a stable softmax, whose denominator is at least 1; not for a tanh, which may be negative, nor for an exp,
// which may be infinite.
// CHECK-LABEL: func.func @clipped_probabilities(
//   CHECK-DAG: %[[A:.+]] = forge.sigmoid
//   CHECK-DAG: %[[B:.+]] = forge.softmax %{{.+}} dim -1 stable
//   CHECK-DAG: %[[T:.+]] = forge.tanh
//   CHECK-DAG: %[[C:.+]] = forge.clip %[[T]]
//   CHECK-DAG: %[[E:.+]] = forge.exp
//   CHECK-DAG: %[[D:.+]] = forge.clip %[[E]]
//       CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @clipped_probabilities(%x: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>) {
  %0 = forge.sigmoid %x : tensor<2x8xf32>
  %1 = forge.clip %0 min 0.0 max 1.0 : tensor<2x8xf32>
  %2 = forge.softmax %x dim -1 stable : tensor<2x8xf32>
  %4 = forge.clip %2 min 0.0 max 1.0 : tensor<2x8xf32>
  %5 = forge.tanh %x : tensor<2x8xf32>
  %6 = forge.clip %5 min 0.0 max 1.0 : tensor<2x8xf32>
  %7 = forge.exp %x : tensor<2x8xf32>
  %8 = forge.clip %7 min 0.0 max 3.402823466e+38 : tensor<2x8xf32>
  return %1, %4, %6, %8 : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>
}

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

// A cast to a 16-bit float rounds integers, and a cast of a negative number to an unsigned type wraps.
// CHECK-LABEL: func.func @through_other_types(
//       CHECK: forge.cast %{{.+}} dtype f16
//       CHECK: forge.cast %{{.+}} dtype ui32
//       CHECK: return
func.func @through_other_types(%x: tensor<4xui8>, %y: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xf32>) {
  %k = forge.constant dense<17.0> : tensor<f32>
  %f = forge.cast %x dtype f32 : (tensor<4xui8>) -> tensor<4xf32>
  %m = forge.multiply %f, %k : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %h = forge.cast %m dtype f16 : (tensor<4xf32>) -> tensor<4xf16>
  %i = forge.cast %h dtype i32 : (tensor<4xf16>) -> tensor<4xi32>
  %three = forge.constant dense<3> : tensor<4xi32>
  %s = forge.subtract %i, %three : tensor<4xi32>
  %o = forge.cast %s dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  %g = forge.cast %y dtype f32 : (tensor<4xi8>) -> tensor<4xf32>
  %u = forge.cast %g dtype ui32 : (tensor<4xf32>) -> tensor<4xui32>
  %v = forge.cast %u dtype f32 : (tensor<4xui32>) -> tensor<4xf32>
  return %o, %v : tensor<4xf32>, tensor<4xf32>
}

// In float16 1e-8 is 0, so that the bounds and tests after the cast are needed.
// CHECK-LABEL: func.func @underflow_in_float16(
//       CHECK: %[[F:.+]] = forge.cast %{{.+}} dtype f32 : (tensor<4xf16>)
//       CHECK: forge.clip %[[F]] min
//       CHECK: forge.less
func.func @underflow_in_float16(%k: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %kf = forge.cast %k dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  %d = forge.clip %kf min 1.0e-08 max 1.0 : tensor<4xf32>
  %e = forge.cast %d dtype f16 : (tensor<4xf32>) -> tensor<4xf16>
  %f = forge.cast %e dtype f32 : (tensor<4xf16>) -> tensor<4xf32>
  %g = forge.clip %f min 1.0e-09 max 2.0 : tensor<4xf32>
  %c = forge.constant dense<1.0e-9> : tensor<1xf32>
  %s = forge.abs %f : tensor<4xf32>
  %t = forge.less %s, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %g, %t : tensor<4xf32>, tensor<4xf32>
}

// The sum of subtrahends of two types has the type of the result: float16 has no 2049.
// CHECK-LABEL: func.func @subtrahends_of_two_types(
//       CHECK: forge.subtract %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<{{.*}}f32>)
//       CHECK: return
func.func @subtrahends_of_two_types(%k: tensor<4xi8>) -> tensor<4xf32> {
  %x = forge.cast %k dtype f32 : (tensor<4xi8>) -> tensor<4xf32>
  %a = forge.constant dense<2048.0> : tensor<1xf16>
  %b = forge.constant dense<1.0> : tensor<1xf32>
  %d = forge.subtract %x, %a : (tensor<4xf32>, tensor<1xf16>) -> tensor<4xf32>
  %e = forge.subtract %d, %b : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %e : tensor<4xf32>
}

// Differences that wrap in their type remain: 5 - 128 is 133 in ui8, and -100 - 100 is 56 in i8.
// CHECK-LABEL: func.func @ui8(
//       CHECK: forge.subtract %{{.+}} : (tensor<8xui8>, tensor<ui8>) -> tensor<8xui8>
func.func @ui8(%x: tensor<8xi32>) -> tensor<8xf32> {
  %k = forge.constant dense<128> : tensor<ui8>
  %shift = forge.constant dense<12582912.0> : tensor<f32>
  %r = forge.cast %x dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
  %0 = forge.clip %r min 0.0 max 255.0 : tensor<8xf32>
  %1 = forge.add %0, %shift : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = forge.subtract %1, %shift : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = forge.cast %2 dtype ui8 : (tensor<8xf32>) -> tensor<8xui8>
  %5 = forge.subtract %3, %k : (tensor<8xui8>, tensor<ui8>) -> tensor<8xui8>
  %6 = forge.cast %5 dtype f32 : (tensor<8xui8>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}

// CHECK-LABEL: func.func @i8(
//       CHECK: forge.subtract %{{.+}} : (tensor<8xi8>, tensor<i8>) -> tensor<8xi8>
func.func @i8(%x: tensor<8xi32>) -> tensor<8xf32> {
  %k = forge.constant dense<100> : tensor<i8>
  %shift = forge.constant dense<12582912.0> : tensor<f32>
  %r = forge.cast %x dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
  %0 = forge.clip %r min -128.0 max 127.0 : tensor<8xf32>
  %1 = forge.add %0, %shift : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = forge.subtract %1, %shift : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = forge.cast %2 dtype i8 : (tensor<8xf32>) -> tensor<8xi8>
  %5 = forge.subtract %3, %k : (tensor<8xi8>, tensor<i8>) -> tensor<8xi8>
  %6 = forge.cast %5 dtype f32 : (tensor<8xi8>) -> tensor<8xf32>
  return %6 : tensor<8xf32>
}

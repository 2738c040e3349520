// Folds of ops that return their operand, and of pairs of inverse ops.
// RUN: forge-opt %s -canonicalize -mlir-print-debuginfo=false | FileCheck %s
// RUN: forge-opt %s -canonicalize -cse -canonicalize -mlir-print-debuginfo=false | FileCheck %s

// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0 :
func.func @nothing(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = forge.reshape %x shape [2, 4] : tensor<2x4xf32>
  %1 = forge.index %x dim 1 [0:4] : tensor<2x4xf32>
  %2 = forge.strided_slice %x dim 1 [-9:99] : tensor<2x4xf32>
  %3 = forge.select %x dim 1 index [0, 4] stride 0 : tensor<2x4xf32>
  %4 = forge.pad %x pad [0, 0] mode constant value 1.0 : tensor<2x4xf32>
  %5 = forge.constant_pad %x padding [0, 0, 0, 0] value 1.0 : tensor<2x4xf32>
  %6 = forge.broadcast %x dim 0 shape 2 : tensor<2x4xf32>
  %7 = forge.repeat %x repeats [1, 1] : tensor<2x4xf32>
  %8 = forge.repeat_interleave %x repeats 1 dim 0 : tensor<2x4xf32>
  %9 = forge.concatenate %x axis 0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %10 = forge.split %x dim 0 sizes [2] : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func.func @pairs(
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg1, %arg2, %arg0 :
func.func @pairs(%x: tensor<2x4xf32>, %h: tensor<2xf16>, %i: tensor<2xi8>, %c: tensor<4xi1>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf16>, tensor<2xi8>, tensor<2x4xf32>) {
  %0 = forge.transpose %x dims 0, 1 : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %1 = forge.transpose %0 dims -1, -2 : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %2 = forge.unsqueeze %x dim 0 : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
  %3 = forge.squeeze %2 dim 0 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
  %4 = forge.reshape %2 shape [8] : (tensor<1x2x4xf32>) -> tensor<8xf32>
  %5 = forge.reshape %4 shape [2, 4] : (tensor<8xf32>) -> tensor<2x4xf32>
  %6 = forge.cast %h dtype f32 : (tensor<2xf16>) -> tensor<2xf32>
  %7 = forge.cast %6 dtype f16 : (tensor<2xf32>) -> tensor<2xf16>
  %8 = forge.cast %i dtype i32 : (tensor<2xi8>) -> tensor<2xi32>
  %9 = forge.cast %8 dtype i8 : (tensor<2xi32>) -> tensor<2xi8>
  %10 = forge.where %c, %x, %x : (tensor<4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1, %3, %5, %7, %9, %10 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf16>, tensor<2xi8>, tensor<2x4xf32>
}

// Unchanged: ops that are not exact, reversed slices, and identities, which are inserted on purpose.
// CHECK-LABEL: func.func @unchanged(
// CHECK-COUNT-11: forge.
// CHECK-NOT: forge.
func.func @unchanged(%x: tensor<4x4xf32>, %i: tensor<2xi32>, %c: tensor<3x4x1xi1>, %y: tensor<2x2x2xf32>, %b: tensor<2xi1>) -> (tensor<4x4xf32>, tensor<2xi32>, tensor<3x4x4xf32>, tensor<2x2x2xf32>, tensor<4x4xf32>, tensor<2xi1>) {
  %0 = forge.strided_slice %x dim 0 [-1:-99:-1] : tensor<4x4xf32>
  %1 = forge.cast %i dtype f32 : (tensor<2xi32>) -> tensor<2xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<2xf32>) -> tensor<2xi32>
  %3 = forge.where %c, %x, %x : (tensor<3x4x1xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<3x4x4xf32>
  %4 = forge.transpose %y dims 0, 1 : tensor<2x2x2xf32>
  %5 = forge.transpose %4 dims 0, 2 : tensor<2x2x2xf32>
  %6 = forge.identity %x : tensor<4x4xf32>
  %zero = forge.constant dense<0.0> : tensor<f32>
  %7 = forge.add %6, %zero : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %8 = forge.cast %b dtype f16 : (tensor<2xi1>) -> tensor<2xf16>
  %9 = forge.cast %8 dtype i1 : (tensor<2xf16>) -> tensor<2xi1>
  return %0, %2, %3, %5, %7, %9 : tensor<4x4xf32>, tensor<2xi32>, tensor<3x4x4xf32>, tensor<2x2x2xf32>, tensor<4x4xf32>, tensor<2xi1>
}

// Of a sequence of reshapes the last one remains.
// CHECK-LABEL: func.func @views(
// CHECK-NEXT: %[[V:.+]] = forge.reshape %arg0 shape [4, 2] : (tensor<2x4xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: return %[[V]]
func.func @views(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %0 = forge.reshape %x shape [8] : (tensor<2x4xf32>) -> tensor<8xf32>
  %1 = forge.unsqueeze %0 dim 0 : (tensor<8xf32>) -> tensor<1x8xf32>
  %2 = forge.reshape %1 shape [4, 2] : (tensor<1x8xf32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// A write into a cache is an effect and is not removed, even if its result is unused.
// CHECK-LABEL: func.func @unused_cache_write(
// CHECK-NEXT: forge.update_cache
// CHECK-NEXT: return
func.func @unused_cache_write(%cache: tensor<1x4x16x8xf32>, %key: tensor<1x4x1x8xf32>, %place: tensor<1xi32>) {
  %0 = forge.update_cache %cache, %key, %place : (tensor<1x4x16x8xf32>, tensor<1x4x1x8xf32>, tensor<1xi32>) -> tensor<1x4x16x8xf32>
  return
}

// Unreachable code may have cycles.
// CHECK-LABEL: func.func @unreachable(
// CHECK-NEXT: return
func.func @unreachable() {
  return
^bb1:
  %0 = forge.reshape %1 shape [2, 4] : (tensor<8xf32>) -> tensor<2x4xf32>
  %1 = forge.reshape %0 shape [8] : (tensor<2x4xf32>) -> tensor<8xf32>
  %2 = forge.reshape %2 shape [8] : tensor<8xf32>
  return
}

// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16}))' | FileCheck %s

// What moves between two ops in f32 is in f32, without a pair of casts around the movement.
// CHECK-LABEL: func.func @moved(
// CHECK-NOT: forge.cast {{.*}} dtype bf16
// CHECK: forge.transpose {{.*}} : (tensor<2x4xf32>) -> tensor<4x2xf32>
// CHECK-NOT: forge.cast
// CHECK: return
func.func @moved(%ids: tensor<2x4xi32>, %x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = forge.cast %ids dtype f32 : (tensor<2x4xi32>) -> tensor<2x4xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %2 = forge.add %1, %x : tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// One cast: after movement that drops elements, before movement that repeats them, and for all that read the value.
// CHECK-LABEL: func.func @where_it_is_small(
// CHECK: [[ONE:%.*]] = forge.index {{.*}} -> tensor<1x4xf32>
// CHECK: [[CAST:%.*]] = forge.cast [[ONE]] dtype bf16 : (tensor<1x4xf32>) -> tensor<1x4xbf16>
// CHECK: forge.repeat [[CAST]] repeats [8, 1] : (tensor<1x4xbf16>) -> tensor<8x4xbf16>
// CHECK: forge.matmul [[CAST]], {{.*}} -> tensor<1x4xbf16>
// CHECK-NOT: dtype bf16
// CHECK: return
func.func @where_it_is_small(%ids: tensor<16x4xi32>) -> (tensor<8x4xf32>, tensor<1x4xf32>) {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %0 = forge.cast %ids dtype f32 : (tensor<16x4xi32>) -> tensor<16x4xf32>
  %c = forge.cosine %0 : tensor<16x4xf32>
  %1 = forge.index %c dim -2 [3:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
  %2 = forge.repeat %1 repeats [8, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
  %3 = forge.matmul %2, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %4 = forge.exp %3 : tensor<8x4xf32>
  %5 = forge.matmul %1, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %6 = forge.exp %5 : tensor<1x4xf32>
  return %4, %6 : tensor<8x4xf32>, tensor<1x4xf32>
}

// The result of a product is in bf16 as it is: the multiplication with a scale in f32 promotes it, moved or not.
// CHECK-LABEL: func.func @promoted(
// CHECK: forge.matmul {{.*}} -> tensor<2x4xbf16>
// CHECK: forge.reshape {{.*}} -> tensor<8xbf16>
// CHECK-NEXT: forge.multiply {{.*}} : (tensor<8xbf16>, tensor<1xf32>) -> tensor<8xf32>
// CHECK-NEXT: forge.add {{.*}} -> tensor<8xf32>
// CHECK-NEXT: forge.subtract {{.*}} -> tensor<8xf32>
func.func @promoted(%x: tensor<2x3xf32>) -> tensor<8xf32> {
  %w = forge.parameter "w" : tensor<3x4xf32>
  %s = forge.scalar_constant constant 25.5 dtype f32 : tensor<1xf32>
  %c = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = forge.reshape %0 shape [8] : (tensor<2x4xf32>) -> tensor<8xf32>
  %2 = forge.multiply %1, %s : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %3 = forge.add %2, %c : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %4 = forge.subtract %3, %c : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// A mean between two ops in f32 is computed in f32: in bf16 it would need two casts.
// CHECK-LABEL: func.func @mean_between(
// CHECK: [[ANGLE:%.*]] = forge.cast %arg0 dtype f32
// CHECK: forge.reduce_avg [[ANGLE]] {{.*}} -> tensor<2x1xf32>
// CHECK-NEXT: forge.sine
func.func @mean_between(%ids: tensor<2x4xi32>) -> tensor<2x1xf32> {
  %0 = forge.cast %ids dtype f32 : (tensor<2x4xi32>) -> tensor<2x4xf32>
  %1 = forge.reduce_avg %0 dim -1 keep_dim : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = forge.sine %1 : tensor<2x1xf32>
  return %2 : tensor<2x1xf32>
}

// A sum with a weight for each position, which a norm reads: the weight is stored in f32 and makes the sum that.
// CHECK-LABEL: func.func @positions(
// CHECK: forge.parameter "p" : tensor<2x4xf32>
// CHECK: [[X:%.*]] = forge.tanh {{.*}} : tensor<2x4xbf16>
// CHECK: [[SUM:%.*]] = forge.add [[X]], {{.*}} : (tensor<2x4xbf16>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK: forge.multiply [[SUM]], [[SUM]] : tensor<2x4xf32>
func.func @positions(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %p = forge.parameter "p" : tensor<2x4xf32>
  %e = forge.scalar_constant constant 1.0e-5 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %x1 = forge.tanh %0 : tensor<2x4xf32>
  %1 = forge.add %x1, %p : tensor<2x4xf32>
  %2 = forge.multiply %1, %1 : tensor<2x4xf32>
  %3 = forge.reduce_avg %2 dim -1 keep_dim : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %4 = forge.add %3, %e : (tensor<2x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
  %5 = forge.sqrt %4 : tensor<2x1xf32>
  %6 = forge.divide %1, %5 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %6 : tensor<2x4xf32>
}

// A cache is given, written in place and returned in the format.
// CHECK-LABEL: func.func @cache(
// CHECK-SAME: %arg0: tensor<2x4x16x8xbf16>
// CHECK-SAME: -> tensor<2x4x16x8xbf16>
// CHECK: [[CACHE:%.*]] = forge.update_cache %arg0,
// CHECK-NEXT: return [[CACHE]]
func.func @cache(%cache: tensor<2x4x16x8xf32>, %x: tensor<2x4x1x8xf32>, %at: tensor<2xi32>) -> tensor<2x4x16x8xf32> {
  %0 = forge.exp %x : tensor<2x4x1x8xf32>
  %1 = forge.update_cache %cache, %0, %at : (tensor<2x4x16x8xf32>, tensor<2x4x1x8xf32>, tensor<2xi32>) -> tensor<2x4x16x8xf32>
  return %1 : tensor<2x4x16x8xf32>
}

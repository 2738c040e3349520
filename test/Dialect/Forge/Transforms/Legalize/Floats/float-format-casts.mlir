// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16}))' | FileCheck %s

// Movement between two ops in f32 is in f32, so that no casts are needed around it.
// CHECK-LABEL: func.func @movement_between_f32(
// CHECK-NOT: forge.cast {{.*}} dtype bf16
// CHECK: forge.transpose {{.*}} : (tensor<2x4xf32>) -> tensor<4x2xf32>
// CHECK-NOT: forge.cast
// CHECK: return
func.func @movement_between_f32(%ids: tensor<2x4xi32>, %x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = forge.cast %ids dtype f32 : (tensor<2x4xi32>) -> tensor<2x4xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %2 = forge.add %1, %x : tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// One cast for all users, at the smallest value: after movement that drops elements, before movement that repeats them.
// CHECK-LABEL: func.func @cast_of_the_smallest_value(
// CHECK: [[ONE:%.*]] = forge.index {{.*}} -> tensor<1x4xf32>
// CHECK: [[CAST:%.*]] = forge.cast [[ONE]] dtype bf16 : (tensor<1x4xf32>) -> tensor<1x4xbf16>
// CHECK: forge.repeat [[CAST]] repeats [8, 1] : (tensor<1x4xbf16>) -> tensor<8x4xbf16>
// CHECK: forge.matmul [[CAST]], {{.*}} -> tensor<1x4xbf16>
// CHECK-NOT: dtype bf16
// CHECK: return
func.func @cast_of_the_smallest_value(%ids: tensor<16x4xi32>) -> (tensor<8x4xf32>, tensor<1x4xf32>) {
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

// The product is in bf16, and the multiplication by a scale in f32 promotes it to f32 without a cast, also through a
// reshape.
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

// A mean between two ops in f32 is computed in f32, because in bf16 it would need two casts.
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

// Positional embeddings are added before a norm, which reads the sum in f32: their weight is stored in f32, which
// promotes the sum.
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

// A cache is an input in the format, written in place and returned in it.
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

// The integers of a quantiser are cast without loss for the convolution and for the product with their scale. The scale
// of the convolution's operand is folded into the next quantiser. The addition reads the scaled value in f32.
// CHECK-LABEL: func.func @quantised(
// CHECK: [[INT:%.*]] = forge.subtract {{.*}} : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: [[HELD:%.*]] = forge.cast [[INT]] dtype bf16
// CHECK-NEXT: [[SCALED:%.*]] = forge.multiply [[HELD]], {{.*}} : (tensor<1x2x4x4xbf16>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
// CHECK: [[MOVED:%.*]] = forge.reshape [[HELD]]
// CHECK: [[BIAS:%.*]] = forge.divide {{.*}} : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
// CHECK: [[ROUNDED:%.*]] = forge.cast [[BIAS]] dtype bf16
// CHECK: [[CONV:%.*]] = forge.conv2d [[MOVED]], {{.*}}, [[ROUNDED]] {{.*}} -> tensor<1x2x4x4xbf16>
// CHECK: [[RESULT:%.*]] = forge.reshape [[CONV]]
// CHECK: [[RATIO:%.*]] = forge.scalar_constant constant 2.000000e+00 dtype f32
// CHECK: forge.divide [[RESULT]], [[RATIO]] : (tensor<1x2x16xbf16>, tensor<1xf32>) -> tensor<1x2x16xf32>
// CHECK: forge.add [[SCALED]], %{{.*}} : tensor<1x2x4x4xf32>
// CHECK-NOT: forge.cast
// CHECK: return
func.func @quantised(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = forge.parameter "w" : tensor<2x2x1x1xf32>
  %b = forge.parameter "b" : tensor<2xf32>
  %s = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %t = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %c = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x2x4x4xf32>
  %1 = forge.add %0, %c : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.subtract %1, %c : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %3 = forge.multiply %2, %s : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %4 = forge.reshape %3 shape [1, 2, 4, 4] : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %5 = forge.conv2d %4, %w, %b stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %6 = forge.reshape %5 shape [1, 2, 16] : (tensor<1x2x4x4xf32>) -> tensor<1x2x16xf32>
  %7 = forge.divide %6, %t : (tensor<1x2x16xf32>, tensor<1xf32>) -> tensor<1x2x16xf32>
  %8 = forge.clip %7 min 0.0 max 255.0 : tensor<1x2x16xf32>
  %9 = forge.add %8, %c : (tensor<1x2x16xf32>, tensor<1xf32>) -> tensor<1x2x16xf32>
  %10 = forge.reshape %9 shape [1, 2, 4, 4] : (tensor<1x2x16xf32>) -> tensor<1x2x4x4xf32>
  %11 = forge.add %3, %10 : tensor<1x2x4x4xf32>
  %12 = forge.add %11, %c : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %12 : tensor<1x2x4x4xf32>
}

// The convolution has another user, here an output: it reads the scaled value.
// CHECK-LABEL: func.func @quantised_with_an_output(
// CHECK: [[SCALED:%.*]] = forge.multiply {{.*}} -> tensor<1x2x4x4xf32>
// CHECK: [[CAST:%.*]] = forge.cast [[SCALED]] dtype bf16
// CHECK: forge.conv2d [[CAST]], {{.*}} -> tensor<1x2x4x4xbf16>
func.func @quantised_with_an_output(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = forge.parameter "w" : tensor<2x2x1x1xf32>
  %s = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %c = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<1x2x4x4xf32>
  %1 = forge.add %0, %c : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.subtract %1, %c : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %3 = forge.multiply %2, %s : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %4 = forge.conv2d %3, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %5 = forge.divide %4, %s : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %6 = forge.add %5, %c : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %4, %6 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// Integers that are an output as well, or that may be above 256, are used in f32.
// CHECK-LABEL: func.func @quantised_and_read(
// CHECK-NOT: forge.cast
// CHECK: return
func.func @quantised_and_read(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %s = forge.scalar_constant constant 25.5 dtype f32 : tensor<1xf32>
  %c = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.clip %x min -128.0 max 127.0 : tensor<4xf32>
  %1 = forge.add %0, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %2 = forge.subtract %1, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %3 = forge.multiply %2, %s : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %4 = forge.clip %x min -128.0 max 257.0 : tensor<4xf32>
  %5 = forge.add %4, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %6 = forge.subtract %5, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %7 = forge.multiply %6, %s : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %2, %3, %7 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A product that a norm and a residual addition read is in f32 through its bias alone, although the other addend is
// moved.
// CHECK-LABEL: func.func @read_by_a_norm(
// CHECK: [[BIAS:%.*]] = forge.parameter "bias" : tensor<4xf32>
// CHECK: [[X:%.*]] = forge.matmul {{.*}}, [[BIAS]] : (tensor<2x4xbf16>, tensor<4x4xbf16>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NOT: forge.cast [[X]]
// CHECK: forge.multiply [[X]], [[X]] : tensor<2x4xf32>
// CHECK: forge.add [[X]], {{.*}} : (tensor<2x4xf32>, tensor<2x4xbf16>) -> tensor<2x4xf32>
func.func @read_by_a_norm(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %v = forge.parameter "v" : tensor<4x4xf32>
  %bias = forge.parameter "bias" : tensor<4xf32>
  %other = forge.parameter "other" : tensor<4xf32>
  %e = forge.scalar_constant constant 1.0e-5 dtype f32 : tensor<1xf32>
  %x1 = forge.exp %x : tensor<2x4xf32>
  %0 = forge.matmul %x1, %w, %bias : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = forge.multiply %0, %0 : tensor<2x4xf32>
  %2 = forge.reduce_avg %1 dim -1 keep_dim : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %3 = forge.add %2, %e : (tensor<2x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
  %4 = forge.sqrt %3 : tensor<2x1xf32>
  %5 = forge.divide %0, %4 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %6 = forge.matmul %5, %v, %other : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %7 = forge.reshape %6 shape [2, 4] : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %8 = forge.add %0, %7 : tensor<2x4xf32>
  %9 = forge.exp %8 : tensor<2x4xf32>
  %10 = forge.add %8, %9 : tensor<2x4xf32>
  return %9, %10 : tensor<2x4xf32>, tensor<2x4xf32>
}

// A computed mask of -3.4e38 is clamped to the range of bf16, too: otherwise the cast would make it an infinity, and
// fully masked rows NaN.
// CHECK-LABEL: func.func @computed_mask(
// CHECK: [[LOWEST:%.*]] = forge.scalar_constant constant -3.38953139E+38 dtype f32
// CHECK: [[MASK:%.*]] = forge.multiply {{.*}}, [[LOWEST]] : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
// CHECK: [[CAST:%.*]] = forge.cast [[MASK]] dtype bf16
// CHECK: forge.add {{.*}}, [[CAST]] : tensor<2x4xbf16>
func.func @computed_mask(%x: tensor<2x4xf32>, %ids: tensor<2x4xi32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %lowest = forge.scalar_constant constant -3.40282347E+38 dtype f32 : tensor<1xf32>
  %0 = forge.cast %ids dtype f32 : (tensor<2x4xi32>) -> tensor<2x4xf32>
  %1 = forge.multiply %0, %lowest : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %2 = forge.matmul %x, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %3 = forge.exp %2 : tensor<2x4xf32>
  %4 = forge.add %3, %1 : tensor<2x4xf32>
  %5 = forge.softmax %4 dim -1 : tensor<2x4xf32>
  return %5 : tensor<2x4xf32>
}

// A dropout in training multiplies, so that its operand is not rounded before it.
// CHECK-LABEL: func.func @dropout(
// CHECK:         %[[D:.+]] = forge.dropout %{{.+}} : tensor<64xf32>
// CHECK:         forge.cast %[[D]] dtype bf16
func.func @dropout(%i: tensor<64xi32>) -> tensor<64xf32> {
  %x = forge.cast %i dtype f32 : (tensor<64xi32>) -> tensor<64xf32>
  %y = forge.dropout %x p 3.000000e-01 training seed 0 : tensor<64xf32>
  %z = forge.exp %y : tensor<64xf32>
  return %z : tensor<64xf32>
}

// So are the bounds of a clip, which makes finite numbers of infinities, and the value of a pad.
// CHECK-LABEL: func.func @clipped_mask(
// CHECK: forge.clip {{.*}} min -3.38953139E+38 max 0x7F800000 : tensor<4x4xbf16>
// CHECK: forge.pad {{.*}} value -3.38953139E+38
func.func @clipped_mask(%scores: tensor<4x4xf32>) -> tensor<4x6xf32> {
  %0 = forge.clip %scores min -3.40282347E+38 max 0x7F800000 : tensor<4x4xf32>
  %1 = forge.pad %0 pad [1, 1] mode constant value -3.40282347E+38 : (tensor<4x4xf32>) -> tensor<4x6xf32>
  %2 = forge.softmax %1 dim -1 stable : tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}

// An input of 16 bits keeps its type, so that a write into it has this type, too: with a cast of the cache, the program
// would write into the result of the cast, and return another type than that of the input.
// CHECK-LABEL: func.func @float16_cache(
// CHECK-SAME: %arg0: tensor<2x4x16x8xf16>
// CHECK: [[TOKEN:%.*]] = forge.cast %{{.*}} dtype f16
// CHECK: [[FIRST:%.*]] = forge.update_cache %arg0, [[TOKEN]], %arg2
// CHECK: [[SECOND:%.*]] = forge.update_cache [[FIRST]], [[TOKEN]], %arg3
// CHECK: return [[SECOND]] : tensor<2x4x16x8xf16>
func.func @float16_cache(%cache: tensor<2x4x16x8xf16>, %x: tensor<2x4x1x8xf16>, %at: tensor<2xi32>, %next: tensor<2xi32>) -> tensor<2x4x16x8xf16> {
  %0 = forge.exp %x : tensor<2x4x1x8xf16>
  %1 = forge.update_cache %cache, %0, %at : (tensor<2x4x16x8xf16>, tensor<2x4x1x8xf16>, tensor<2xi32>) -> tensor<2x4x16x8xf16>
  %2 = forge.update_cache %1, %0, %next : (tensor<2x4x16x8xf16>, tensor<2x4x1x8xf16>, tensor<2xi32>) -> tensor<2x4x16x8xf16>
  return %2 : tensor<2x4x16x8xf16>
}

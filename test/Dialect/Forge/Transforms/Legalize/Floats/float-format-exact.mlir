// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16}))' | FileCheck %s
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16 keep-float32=table}))' | FileCheck %s --check-prefix=KEEP

// A pad combines no elements: what is cast to integers after it is not rounded, neither the input nor the constant of
// the pad, 2.999, which bfloat16 rounds to 3.
// CHECK-LABEL: func.func @padded(
//  CHECK-SAME: %arg0: tensor<1x1x4x4xf32>
//       CHECK: %[[P:.+]] = forge.pad %arg0 {{.*}} -> tensor<1x1x4x6xf32>
//  CHECK-NEXT: forge.cast %[[P]] dtype i32
func.func @padded(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x6xi32> {
  %0 = forge.pad %x pad [1, 1] mode constant value 2.999 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x6xf32>
  %1 = forge.cast %0 dtype i32 : (tensor<1x1x4x6xf32>) -> tensor<1x1x4x6xi32>
  return %1 : tensor<1x1x4x6xi32>
}

// The padded integers are small, but the constant of the pad is not one of them.
// CHECK-LABEL: func.func @padded_integers(
//       CHECK: %[[P:.+]] = forge.pad {{.*}} -> tensor<1x1x4x6xf32>
//  CHECK-NEXT: forge.cast %[[P]] dtype i32
func.func @padded_integers(%x: tensor<1x1x4x4xi8>) -> tensor<1x1x4x6xi32> {
  %0 = forge.cast %x dtype f32 : (tensor<1x1x4x4xi8>) -> tensor<1x1x4x4xf32>
  %1 = forge.pad %0 pad [1, 1] mode constant value 2.999 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x6xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<1x1x4x6xf32>) -> tensor<1x1x4x6xi32>
  return %2 : tensor<1x1x4x6xi32>
}

// The ops that read a weight which the user named are in Float32, also if the weight is a constant.
// CHECK-LABEL: func.func @named_weight(
//       CHECK: forge.multiply {{.*}} : tensor<2xbf16>
//  KEEP-LABEL: func.func @named_weight(
//        KEEP: %[[TABLE:.+]] = forge.constant dense<[1.001000e+03, 2.002000e+03]> : tensor<2xf32>
//        KEEP: forge.multiply %arg0, %[[TABLE]] : tensor<2xf32>
func.func @named_weight(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = forge.constant dense<[1001.0, 2002.0]> : tensor<2xf32> loc("table")
  %1 = forge.multiply %x, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// So is what ops move that only converters of users make.
// CHECK-LABEL: func.func @shuffled(
//  CHECK-SAME: %arg0: tensor<1x8x2x3xf32>
//       CHECK: forge.select {{.*}} -> tensor<1x4x2x3xf32>
//       CHECK: forge.pixel_shuffle {{.*}} -> tensor<1x1x4x6xf32>
func.func @shuffled(%x: tensor<1x8x2x3xf32>) -> tensor<1x1x4x6xi32> {
  %0 = forge.select %x dim 1 index [0, 4] stride 8 : (tensor<1x8x2x3xf32>) -> tensor<1x4x2x3xf32>
  %1 = forge.pixel_shuffle %0 upscale_factor 2 : (tensor<1x4x2x3xf32>) -> tensor<1x1x4x6xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<1x1x4x6xf32>) -> tensor<1x1x4x6xi32>
  return %2 : tensor<1x1x4x6xi32>
}

// 2^20 rounds to eighths, which bfloat16 does not represent from 32 on: 63.875 would become 64.
// CHECK-LABEL: func.func @eighths(
//       CHECK: forge.subtract {{.*}} : tensor<4xf32>
//  CHECK-NEXT: forge.add {{.*}} : tensor<4xf32>
//  CHECK-NEXT: forge.add {{.*}} : tensor<4xf32>
//  CHECK-NEXT: forge.cast {{.*}} dtype i32
func.func @eighths(%x: tensor<4xi8>) -> tensor<4xi32> {
  %shift = forge.constant dense<1048576.0> : tensor<4xf32>
  %one = forge.constant dense<1.0> : tensor<4xf32>
  %scale = forge.constant dense<0.503> : tensor<4xf32>
  %0 = forge.cast %x dtype f32 : (tensor<4xi8>) -> tensor<4xf32>
  %1 = forge.multiply %0, %scale : tensor<4xf32>
  %2 = forge.add %1, %shift : tensor<4xf32>
  %3 = forge.subtract %2, %shift : tensor<4xf32>
  %4 = forge.add %3, %one : tensor<4xf32>
  %5 = forge.add %4, %one : tensor<4xf32>
  %6 = forge.cast %5 dtype i32 : (tensor<4xf32>) -> tensor<4xi32>
  return %6 : tensor<4xi32>
}

// Ids that are selected by a condition which is no integer, clamped, padded, or divided with remainder remain whole, so
// that the ops that read them are in Float32.
// CHECK-LABEL: func.func @ids(
//   CHECK-NOT: bf16
//       CHECK: return
func.func @ids(%ids: tensor<1x1x4x4xi32>, %mask: tensor<4x4xf32>, %y: tensor<1x1x4x6xf32>) -> (tensor<1x1x4x6xf32>, tensor<1x1x4x6xf32>, tensor<1x1x4x6xf32>, tensor<1x1x3x5xf32>) {
  %0 = forge.constant dense<0.0> : tensor<f32>
  %1 = forge.constant dense<1000.0> : tensor<f32>
  %2 = forge.cast %ids dtype f32 : (tensor<1x1x4x4xi32>) -> tensor<1x1x4x4xf32>
  %3 = forge.greater %mask, %0 : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %4 = forge.where %3, %2, %0 : (tensor<4x4xf32>, tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %5 = forge.pad %4 pad [1, 1] mode constant value -1.0 : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x6xf32>
  %6 = forge.subtract %5, %y : tensor<1x1x4x6xf32>
  %7 = forge.clip %5 min 0.0 max 5000.0 : tensor<1x1x4x6xf32>
  %8 = forge.subtract %7, %y : tensor<1x1x4x6xf32>
  %9 = forge.remainder %7, %1 : (tensor<1x1x4x6xf32>, tensor<f32>) -> tensor<1x1x4x6xf32>
  %10 = forge.subtract %9, %y : tensor<1x1x4x6xf32>
  %11 = forge.max_pool2d %9 kernel_size [2, 2] stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x1x4x6xf32>) -> tensor<1x1x3x5xf32>
  return %6, %8, %10, %11 : tensor<1x1x4x6xf32>, tensor<1x1x4x6xf32>, tensor<1x1x4x6xf32>, tensor<1x1x3x5xf32>
}

// The quotient of ids is not rounded before its floor, and the floor, a whole number, not after it: i - 7 * floor(i / 7)
// would be off by up to 15 for ids up to 3000.
// CHECK-LABEL: func.func @floor_of_ids(
//   CHECK-NOT: bf16
//       CHECK: return
func.func @floor_of_ids(%ids: tensor<4xi32>) -> tensor<4xf32> {
  %zero = forge.constant dense<0.0> : tensor<f32>
  %one = forge.constant dense<1.0> : tensor<f32>
  %seven = forge.constant dense<7.0> : tensor<f32>
  %0 = forge.cast %ids dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  %1 = forge.divide %0, %seven : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = forge.remainder %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = forge.subtract %1, %2 : tensor<4xf32>
  %4 = forge.greater %2, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = forge.where %4, %3, %1 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = forge.multiply %5, %seven : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = forge.subtract %0, %6 : tensor<4xf32>
  return %7 : tensor<4xf32>
}

// A scalar constant of a named node does not put the ops of other nodes that share it into Float32.
//  KEEP-LABEL: func.func @shared_scalar(
//        KEEP: forge.multiply {{.*}} (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
//        KEEP: forge.multiply {{.*}} (tensor<4xbf16>, tensor<1xbf16>) -> tensor<4xbf16>
func.func @shared_scalar(%x: tensor<2xf32>, %y: tensor<4xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %scale = forge.scalar_constant constant 1.1 dtype f32 : tensor<1xf32> loc("table")
  %0 = forge.multiply %x, %scale : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32> loc("table")
  %1 = forge.multiply %y, %scale : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<2xf32>, tensor<4xf32>
}

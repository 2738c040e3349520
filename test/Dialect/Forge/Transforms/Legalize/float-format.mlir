// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16}))' | FileCheck %s
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16 keep-float32=matmul}))' | FileCheck %s --check-prefix=KEEP
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfloat16 native-outputs=true}))' | FileCheck %s --check-prefix=NATIVE
// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format))' | FileCheck %s --check-prefix=NONE

// NONE-NOT: bf16

// Weights are stored in the format; a constant beyond its largest number becomes that number.
// CHECK-LABEL: func.func @product(
// CHECK-DAG: forge.parameter "w" : tensor<3x4xbf16>
// CHECK-DAG: forge.scalar_constant constant -3.38953139E+38 dtype bf16
// CHECK-DAG: forge.cast %arg0 dtype bf16 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
// CHECK: forge.matmul {{.*}} -> tensor<2x4xbf16>
// CHECK: forge.add {{.*}} -> tensor<2x4xbf16>
// CHECK: forge.cast {{.*}} dtype f32 : (tensor<2x4xbf16>) -> tensor<2x4xf32>
// KEEP-LABEL: func.func @product(
// KEEP: forge.matmul {{.*}} -> tensor<2x4xf32>
// KEEP: forge.add {{.*}} -> tensor<2x4xbf16>
// NATIVE-LABEL: func.func @product(
// NATIVE-SAME: -> tensor<2x4xbf16>
func.func @product(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<3x4xf32>
  %lowest = forge.scalar_constant constant -3.40282347E+38 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %0, %lowest : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// Arithmetic on weights is computed in f32 and rounded last.
// CHECK-LABEL: func.func @computed_weight(
// CHECK: forge.parameter "w" : tensor<3x4xf32>
// CHECK: forge.multiply {{.*}} -> tensor<3x4xf32>
// CHECK: forge.cast {{.*}} dtype bf16 : (tensor<3x4xf32>) -> tensor<3x4xbf16>
// CHECK: forge.matmul {{.*}} -> tensor<2x4xbf16>
func.func @computed_weight(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<3x4xf32>
  %s = forge.parameter "s" : tensor<4xf32>
  %0 = forge.multiply %w, %s : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %1 = forge.matmul %x, %0 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// Positions are integers of any size: they and their angles stay in f32, what a cosine gives does not.
// CHECK-LABEL: func.func @positions(
// CHECK: forge.cast %arg0 dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
// CHECK: forge.multiply {{.*}} : {{.*}}xf32>
// CHECK: forge.cosine {{.*}} : tensor<4xf32>
// CHECK: forge.cast {{.*}} dtype bf16 : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK: forge.add {{.*}} : tensor<4xbf16>
func.func @positions(%ids: tensor<4xi32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %f = forge.scalar_constant constant 0.3 dtype f32 : tensor<1xf32>
  %0 = forge.cast %ids dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  %1 = forge.multiply %0, %f : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %2 = forge.cosine %1 : tensor<4xf32>
  %3 = forge.add %2, %y : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// An index that floats compute is computed in f32, from the input as it is.
// CHECK-LABEL: func.func @index(
// CHECK: forge.multiply %arg0, {{.*}} -> tensor<4xf32>
// CHECK: forge.cast {{.*}} dtype i32
func.func @index(%x: tensor<4xf32>) -> tensor<4xi32> {
  %f = forge.scalar_constant constant 640.0 dtype f32 : tensor<1xf32>
  %0 = forge.multiply %x, %f : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = forge.cast %0 dtype i32 : (tensor<4xf32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// x + 12582912 - 12582912 rounds to integers in f32 only.
// CHECK-LABEL: func.func @rounding(
// CHECK: forge.add {{.*}} -> tensor<4xf32>
// CHECK: forge.subtract {{.*}} -> tensor<4xf32>
func.func @rounding(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.add %x, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = forge.subtract %0, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// An integer beside an input, which no op computes.
// CHECK-LABEL: func.func @beside_an_input(
// CHECK: forge.add {{.*}} : tensor<4xf32>
func.func @beside_an_input(%ids: tensor<4xi32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = forge.cast %ids dtype f32 : (tensor<4xi32>) -> tensor<4xf32>
  %1 = forge.add %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}

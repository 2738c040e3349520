// A factor is not folded into weights with constants so large that they could become infinite: an infinity times 0
// would be NaN. -3.4e38 is in masks.
// RUN: forge-opt %s --forge-fold-weights | FileCheck %s
// RUN: forge-opt %s --forge-fold-weights=fast-math=reassociate | FileCheck %s

// CHECK-LABEL: func.func @matrix(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[P]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @matrix(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.constant dense<[[1.0e+38, 0.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %factor = forge.constant dense<[2000.0, 1000.0]> : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.multiply %0, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @mask_of_columns(
//       CHECK: %[[M:.+]] = forge.multiply %arg1, %{{.+}} : (tensor<2x4xf32>
//       CHECK: %[[S:.+]] = forge.add %{{.+}}, %[[M]] : tensor<2x4xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[S]], %{{.+}} : (tensor<2x4xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @mask_of_columns(%x: tensor<2x4xf32>, %mask: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %lowest = forge.constant dense<-3.4e+38> : tensor<4xf32>
  %factor = forge.constant dense<[8.0, 9.0, 8.0, 7.0]> : tensor<4xf32>
  %0 = forge.matmul %x, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = forge.multiply %mask, %lowest : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %2 = forge.add %0, %1 : tensor<2x4xf32>
  %3 = forge.multiply %2, %factor : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}

// With --fast-math=reassociate, scalars would be merged.
// CHECK-LABEL: func.func @mask(
//       CHECK: %[[M:.+]] = forge.multiply %arg1, %{{.+}} : (tensor<2x4xf32>
//       CHECK: %[[S:.+]] = forge.add %{{.+}}, %[[M]] : tensor<2x4xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[S]], %{{.+}} : (tensor<2x4xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @mask(%x: tensor<2x4xf32>, %mask: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %lowest = forge.scalar_constant constant -3.4e+38 dtype f32 : tensor<1xf32>
  %factor = forge.scalar_constant constant 8.0 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %1 = forge.multiply %mask, %lowest : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %2 = forge.add %0, %1 : tensor<2x4xf32>
  %3 = forge.multiply %2, %factor : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}

// The factor is not folded into the rows of the product either.
// CHECK-LABEL: func.func @rows(
//       CHECK: %[[X:.+]] = forge.multiply %arg0, %{{.+}} : (tensor<2x2xf32>
//       CHECK: %[[Y:.+]] = forge.matmul %[[X]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @rows(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.constant dense<[[1.0e+38, 0.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %factor = forge.constant dense<[2000.0, 1000.0]> : tensor<2xf32>
  %0 = forge.multiply %x, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = forge.matmul %0, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// Nor is an addend, whose product with the weights could be infinite.
// CHECK-LABEL: func.func @addend(
//       CHECK: %[[X:.+]] = forge.add %arg0, %{{.+}} : (tensor<2x2xf32>
//       CHECK: %[[Y:.+]] = forge.matmul %[[X]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @addend(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.constant dense<[[1.0e+38, 0.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %t = forge.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %0 = forge.add %x, %t : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = forge.matmul %0, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// A scale of a group of channels of a transposed convolution.
// CHECK-LABEL: func.func @grouped(
//       CHECK: %[[P:.+]] = forge.conv2d_transpose %arg0, %{{.+}}
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[P]], %{{.+}} : (tensor<1x2x2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @grouped(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = forge.constant dense<[[[[1.0e+38]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %factor = forge.constant dense<[[[2000.0]], [[1000.0]]]> : tensor<2x1x1xf32>
  %0 = forge.conv2d_transpose %x, %w stride [1, 1] padding [0, 0] groups 2 : (tensor<1x2x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = forge.multiply %0, %factor : (tensor<1x2x2x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x2xf32>
  return %1 : tensor<1x2x2x2xf32>
}

// The sum with a constant is as large as the constant.
// CHECK-LABEL: func.func @large_sum(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[P]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @large_sum(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %scale = forge.parameter "scale" : tensor<2xf32>
  %large = forge.constant dense<1.0e+30> : tensor<2xf32>
  %factor = forge.add %scale, %large : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.multiply %0, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// A quotient is as large as the reciprocal of the divisor.
// CHECK-LABEL: func.func @large_quotient(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[P]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @large_quotient(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %scale = forge.parameter "scale" : tensor<2xf32>
  %small = forge.constant dense<1.0e-30> : tensor<2xf32>
  %factor = forge.divide %scale, %small : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.multiply %0, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

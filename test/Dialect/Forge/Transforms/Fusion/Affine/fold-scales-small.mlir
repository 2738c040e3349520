// A factor is not folded into weights if constants are so small that a product could become 0: 0 times an infinity
// would be NaN.
// RUN: forge-opt %s --forge-fold-weights | FileCheck %s
// RUN: forge-opt %s --forge-fold-weights=fast-math=reassociate | FileCheck %s

// CHECK-LABEL: func.func @columns(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[P]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @columns(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.constant dense<[[1.0e-25, 2.0e-25], [3.0e-25, 1.0]]> : tensor<2x2xf32>
  %factor = forge.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.multiply %0, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @rows(
//       CHECK: %[[X:.+]] = forge.multiply %arg0, %{{.+}} : (tensor<2x2xf32>
//       CHECK: %[[Y:.+]] = forge.matmul %[[X]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @rows(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %factor = forge.constant dense<[1.0e-25, 1.0]> : tensor<2xf32>
  %0 = forge.multiply %x, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = forge.matmul %0, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @consecutive(
// CHECK-COUNT-2: forge.multiply %{{.+}} : (tensor<2x2xf32>
func.func @consecutive(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %a = forge.constant dense<[1.0e-30, 2.0e-30]> : tensor<2xf32>
  %b = forge.constant dense<[1.0e-30, 3.0e-30]> : tensor<2xf32>
  %0 = forge.multiply %x, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = forge.multiply %0, %b : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// Each factor is ordinary, but not their product. The weight is at least 2^-50 before each fold.
// CHECK-LABEL: func.func @many_factors(
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %[[W]]
//       CHECK: forge.multiply %[[P]]
func.func @many_factors(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.constant dense<[[1.0e-12, 0.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %a = forge.constant dense<[1.0e-6, 1.1e-6]> : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.multiply %0, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %2 = forge.multiply %1, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %3 = forge.multiply %2, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

// What is 0 stays 0, so that zeros are no obstacle.
// CHECK-LABEL: func.func @zeros(
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.matmul %arg0, %[[W]]
//  CHECK-NEXT: return %[[Y]]
func.func @zeros(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.constant dense<[[0.0, 2.0], [3.0, 1.0]]> : tensor<2x2xf32>
  %factor = forge.constant dense<[0.0, 0.25]> : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.multiply %0, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// A sum of small terms is small.
// CHECK-LABEL: func.func @small_sum(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[P]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @small_sum(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %scale = forge.parameter "scale" : tensor<2xf32>
  %small = forge.constant dense<1.0e-30> : tensor<2xf32>
  %0 = forge.multiply %scale, %small : tensor<2xf32>
  %factor = forge.add %0, %small : tensor<2xf32>
  %1 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = forge.multiply %1, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// A small constant does not make a sum small: 1e-20 is an epsilon.
// CHECK-LABEL: func.func @epsilon(
//       CHECK: %[[Y:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @epsilon(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %scale = forge.parameter "scale" : tensor<2xf32>
  %epsilon = forge.constant dense<1.0e-20> : tensor<2xf32>
  %factor = forge.add %scale, %epsilon : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.multiply %0, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// A product with an element of the model's file may be 0, as may the element itself.
// CHECK-LABEL: func.func @reciprocal_of_product(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[P]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @reciprocal_of_product(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %scale = forge.parameter "scale" : tensor<2xf32>
  %one = forge.constant dense<1.0> : tensor<2xf32>
  %two = forge.constant dense<2.0> : tensor<2xf32>
  %0 = forge.multiply %scale, %two : tensor<2xf32>
  %factor = forge.divide %one, %0 : tensor<2xf32>
  %1 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = forge.multiply %1, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// The scale of a batch norm: with an epsilon, the divisor is assumed not to be 0.
// CHECK-LABEL: func.func @divided_by_deviation(
//       CHECK: %[[Y:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @divided_by_deviation(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %scale = forge.parameter "scale" : tensor<2xf32>
  %variance = forge.parameter "variance" : tensor<2xf32>
  %epsilon = forge.constant dense<1.0e-5> : tensor<2xf32>
  %0 = forge.add %variance, %epsilon : tensor<2xf32>
  %1 = forge.sqrt %0 : tensor<2xf32>
  %factor = forge.divide %scale, %1 : tensor<2xf32>
  %2 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = forge.multiply %2, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

// Integers of the program are known, and may be too large for a factor.
// CHECK-LABEL: func.func @integers(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[P]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @integers(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %counts = forge.parameter "counts" : tensor<2xi32>
  %large = forge.constant dense<[1073741824, 0]> : tensor<2xi32>
  %0 = forge.subtract %counts, %large : tensor<2xi32>
  %factor = forge.cast %0 dtype f32 : (tensor<2xi32>) -> tensor<2xf32>
  %1 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = forge.multiply %1, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// A mean of elements of the model's file may be 0, as may one of a constant with zeros.
// CHECK-LABEL: func.func @reciprocal_of_mean(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[P]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @reciprocal_of_mean(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %scales = forge.parameter "scales" : tensor<3x2xf32>
  %one = forge.constant dense<1.0> : tensor<1x2xf32>
  %0 = forge.reduce_avg %scales dim 0 keep_dim : (tensor<3x2xf32>) -> tensor<1x2xf32>
  %factor = forge.divide %one, %0 : tensor<1x2xf32>
  %1 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = forge.multiply %1, %factor : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @reciprocal_of_sum(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: %[[Y:.+]] = forge.multiply %[[P]], %{{.+}} : (tensor<2x2xf32>
//  CHECK-NEXT: return %[[Y]]
func.func @reciprocal_of_sum(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %scale = forge.parameter "scale" : tensor<2xf32>
  %zeros = forge.constant dense<[0.0, 2.0]> : tensor<2xf32>
  %one = forge.constant dense<1.0> : tensor<2xf32>
  %0 = forge.add %scale, %zeros : tensor<2xf32>
  %factor = forge.divide %one, %0 : tensor<2xf32>
  %1 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = forge.multiply %1, %factor : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

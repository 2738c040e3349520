// A scale can be folded into the producers of a value only if all users of these producers allow it.
// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// Both operands of a product come from one projection, directly or through a transpose of its heads: a scale in the
// weights would be applied twice.
// CHECK-LABEL: func.func @both_operands_of_a_product(
//       CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x8x8xf32>, tensor<8x8xf32>)
//       CHECK: %[[S:.+]] = forge.matmul %[[P]], %[[P]]
//       CHECK: forge.multiply %[[S]],
//       CHECK: %[[H:.+]] = forge.matmul %{{.+}}, %{{.+}} : (tensor<2x2x8x4xf32>, tensor<2x2x4x8xf32>)
//       CHECK: forge.multiply %[[H]],
func.func @both_operands_of_a_product(%x: tensor<2x8x8xf32>) -> (tensor<2x8x8xf32>, tensor<2x2x8x8xf32>) {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %c = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>
  %1 = forge.matmul %0, %0 : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %2 = forge.multiply %1, %c : (tensor<2x8x8xf32>, tensor<1xf32>) -> tensor<2x8x8xf32>
  %3 = forge.matmul %x, %v : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>
  %4 = forge.reshape %3 shape [2, 8, 2, 4] : (tensor<2x8x8xf32>) -> tensor<2x8x2x4xf32>
  %5 = forge.transpose %4 dims -3, -2 : (tensor<2x8x2x4xf32>) -> tensor<2x2x8x4xf32>
  %6 = forge.transpose %5 dims -2, -1 : (tensor<2x2x8x4xf32>) -> tensor<2x2x4x8xf32>
  %7 = forge.matmul %5, %6 : (tensor<2x2x8x4xf32>, tensor<2x2x4x8xf32>) -> tensor<2x2x8x8xf32>
  %8 = forge.multiply %7, %c : (tensor<2x2x8x8xf32>, tensor<1xf32>) -> tensor<2x2x8x8xf32>
  return %2, %8 : tensor<2x8x8xf32>, tensor<2x2x8x8xf32>
}

// The first two heads of a projection are queries: their columns are scaled, those of keys and values are not.
// CHECK-LABEL: func.func @heads(
//       CHECK: %[[R:.+]] = forge.repeat %{{.+}} repeats [8] : (tensor<1xf32>) -> tensor<8xf32>
//       CHECK: %[[ONES:.+]] = forge.constant dense<1.000000e+00> : tensor<16xf32>
//       CHECK: %[[ROW:.+]] = forge.concatenate %[[R]], %[[ONES]] axis -1
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %[[ROW]] : (tensor<8x24xf32>, tensor<24xf32>)
//       CHECK: forge.matmul %arg0, %[[W]]
//   CHECK-NOT: forge.multiply
//       CHECK: return
func.func @heads(%x: tensor<1x5x8xf32>) -> (tensor<1x2x5x5xf32>, tensor<1x2x5x4xf32>) {
  %w = forge.parameter "w" : tensor<8x24xf32>
  %c = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x5x8xf32>, tensor<8x24xf32>) -> tensor<1x5x24xf32>
  %1 = forge.reshape %0 shape [1, 5, 6, 4] : (tensor<1x5x24xf32>) -> tensor<1x5x6x4xf32>
  %2 = forge.transpose %1 dims -3, -2 : (tensor<1x5x6x4xf32>) -> tensor<1x6x5x4xf32>
  %q = forge.index %2 dim 1 [0:2] : (tensor<1x6x5x4xf32>) -> tensor<1x2x5x4xf32>
  %k = forge.index %2 dim 1 [2:4] : (tensor<1x6x5x4xf32>) -> tensor<1x2x5x4xf32>
  %v = forge.index %2 dim 1 [4:6] : (tensor<1x6x5x4xf32>) -> tensor<1x2x5x4xf32>
  %t = forge.transpose %k dims -2, -1 : (tensor<1x2x5x4xf32>) -> tensor<1x2x4x5xf32>
  %3 = forge.matmul %q, %t : (tensor<1x2x5x4xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x5x5xf32>
  %4 = forge.multiply %3, %c : (tensor<1x2x5x5xf32>, tensor<1xf32>) -> tensor<1x2x5x5xf32>
  return %4, %v : tensor<1x2x5x5xf32>, tensor<1x2x5x4xf32>
}

// Unchanged: an overlapping slice reads some of the columns, or the slice takes every second column.
// CHECK-LABEL: func.func @overlapping_and_strided_slices(
// CHECK-COUNT-2: forge.multiply %{{.+}} : (tensor<5x4xf32>, tensor<1xf32>)
func.func @overlapping_and_strided_slices(%x: tensor<5x8xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>) {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %c = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
  %1 = forge.index %0 dim -1 [0:4] : (tensor<5x8xf32>) -> tensor<5x4xf32>
  %2 = forge.index %0 dim -1 [3:7] : (tensor<5x8xf32>) -> tensor<5x4xf32>
  %3 = forge.multiply %1, %c : (tensor<5x4xf32>, tensor<1xf32>) -> tensor<5x4xf32>
  %4 = forge.matmul %x, %v : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
  %5 = forge.index %4 dim -1 [0:8:2] : (tensor<5x8xf32>) -> tensor<5x4xf32>
  %6 = forge.multiply %5, %c : (tensor<5x4xf32>, tensor<1xf32>) -> tensor<5x4xf32>
  return %2, %3, %6 : tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>
}

// Only the first operand of a concatenation along the columns is scaled; a scale per column is folded through a
// concatenation along the rows into both operands.
// CHECK-LABEL: func.func @concatenation(
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<8x4xf32>, tensor<1xf32>)
//       CHECK: %[[A:.+]] = forge.matmul %arg0, %[[W]]
//       CHECK: %[[J:.+]] = forge.concatenate %[[A]], %arg0 axis -1
//       CHECK: %[[S:.+]] = forge.index %[[J]] dim -1 [0:4]
//       CHECK: %[[U:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<8x4xf32>, tensor<4xf32>)
//       CHECK: %[[B:.+]] = forge.matmul %arg0, %[[U]]
//       CHECK: %[[V:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<8x4xf32>, tensor<4xf32>)
//       CHECK: %[[C:.+]] = forge.matmul %arg0, %[[V]]
//       CHECK: %[[R:.+]] = forge.concatenate %[[B]], %[[C]] axis 0
//       CHECK: return %[[S]], %[[R]]
func.func @concatenation(%x: tensor<5x8xf32>) -> (tensor<5x4xf32>, tensor<10x4xf32>) {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %u = forge.parameter "u" : tensor<8x4xf32>
  %v = forge.parameter "v" : tensor<8x4xf32>
  %s = forge.parameter "s" : tensor<4xf32>
  %c = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  %1 = forge.concatenate %0, %x axis -1 : (tensor<5x4xf32>, tensor<5x8xf32>) -> tensor<5x12xf32>
  %2 = forge.index %1 dim -1 [0:4] : (tensor<5x12xf32>) -> tensor<5x4xf32>
  %3 = forge.multiply %2, %c : (tensor<5x4xf32>, tensor<1xf32>) -> tensor<5x4xf32>
  %4 = forge.matmul %x, %u : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  %5 = forge.matmul %x, %v : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  %6 = forge.concatenate %4, %5 axis 0 : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<10x4xf32>
  %7 = forge.multiply %6, %s : (tensor<10x4xf32>, tensor<4xf32>) -> tensor<10x4xf32>
  return %3, %7 : tensor<5x4xf32>, tensor<10x4xf32>
}

// A scale of the whole value, although a slice of it is visited first: a rotary embedding reads both halves and the
// value itself.
// CHECK-LABEL: func.func @value_and_its_halves(
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<8x4xf32>, tensor<1xf32>)
//       CHECK: forge.matmul %arg0, %[[W]]
//   CHECK-NOT: forge.multiply
//       CHECK: return
func.func @value_and_its_halves(%x: tensor<5x8xf32>) -> tensor<5x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %c = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  %1 = forge.index %0 dim -1 [0:2] : (tensor<5x4xf32>) -> tensor<5x2xf32>
  %2 = forge.index %0 dim -1 [2:4] : (tensor<5x4xf32>) -> tensor<5x2xf32>
  %3 = forge.concatenate %2, %1 axis -1 : (tensor<5x2xf32>, tensor<5x2xf32>) -> tensor<5x4xf32>
  %4 = forge.subtract %3, %0 : tensor<5x4xf32>
  %5 = forge.multiply %4, %c : (tensor<5x4xf32>, tensor<1xf32>) -> tensor<5x4xf32>
  return %5 : tensor<5x4xf32>
}

// Unchanged: a quotient is not linear in its divisor, and a sum with an input has an addend without weights.
// CHECK-LABEL: func.func @unchanged(
// CHECK-COUNT-3: forge.multiply %{{.+}} : (tensor<5x4xf32>, tensor<1xf32>)
func.func @unchanged(%x: tensor<5x8xf32>, %y: tensor<5x4xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>) {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %u = forge.parameter "u" : tensor<8x4xf32>
  %v = forge.parameter "v" : tensor<8x4xf32>
  %c = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  %1 = forge.divide %y, %0 : tensor<5x4xf32>
  %2 = forge.multiply %1, %c : (tensor<5x4xf32>, tensor<1xf32>) -> tensor<5x4xf32>
  %3 = forge.matmul %x, %u : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  %4 = forge.divide %3, %3 : tensor<5x4xf32>
  %5 = forge.multiply %4, %c : (tensor<5x4xf32>, tensor<1xf32>) -> tensor<5x4xf32>
  %6 = forge.matmul %x, %v : (tensor<5x8xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
  %7 = forge.add %6, %y : tensor<5x4xf32>
  %8 = forge.multiply %7, %c : (tensor<5x4xf32>, tensor<1xf32>) -> tensor<5x4xf32>
  return %2, %5, %8 : tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>
}

// A mask of 0 and the lowest float adds without rounding: the scale of the scores is folded into the queries. With
// 12582912 the addition rounds, so that the scale stays.
// CHECK-LABEL: func.func @masked(
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<8x8xf32>, tensor<1xf32>)
//       CHECK: %[[Q:.+]] = forge.matmul %arg0, %[[W]]
//       CHECK: %[[S:.+]] = forge.matmul %[[Q]], %arg1
//       CHECK: forge.add %[[S]],
//       CHECK: %[[T:.+]] = forge.matmul %{{.+}}, %arg1
//       CHECK: forge.multiply %[[T]],
func.func @masked(%x: tensor<5x8xf32>, %k: tensor<8x2xf32>) -> (tensor<5x2xf32>, tensor<5x2xf32>) {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %c = forge.scalar_constant constant 0.5 dtype f32 : tensor<1xf32>
  %mask = forge.constant dense<[0.0, -3.40282347E+38]> : tensor<2xf32>
  %number = forge.constant dense<[1.2582912E+7, 1.2582912E+7]> : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
  %1 = forge.matmul %0, %k : (tensor<5x8xf32>, tensor<8x2xf32>) -> tensor<5x2xf32>
  %2 = forge.multiply %1, %c : (tensor<5x2xf32>, tensor<1xf32>) -> tensor<5x2xf32>
  %3 = forge.add %2, %mask : (tensor<5x2xf32>, tensor<2xf32>) -> tensor<5x2xf32>
  %4 = forge.matmul %x, %v : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
  %5 = forge.matmul %4, %k : (tensor<5x8xf32>, tensor<8x2xf32>) -> tensor<5x2xf32>
  %6 = forge.multiply %5, %c : (tensor<5x2xf32>, tensor<1xf32>) -> tensor<5x2xf32>
  %7 = forge.add %6, %number : (tensor<5x2xf32>, tensor<2xf32>) -> tensor<5x2xf32>
  return %3, %7 : tensor<5x2xf32>, tensor<5x2xf32>
}

// A scale of a vector stays: the product of two vectors has rank 0, and times a scalar constant it would have rank 1.
// CHECK-LABEL: func.func @product_of_vectors(
//       CHECK: %[[A:.+]] = forge.multiply %arg0, %{{.+}} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
//       CHECK: %[[Y:.+]] = forge.matmul %[[A]], %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
//  CHECK-NEXT: return %[[Y]]
func.func @product_of_vectors(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<f32> {
  %c = forge.scalar_constant constant 2.0 dtype f32 : () -> tensor<1xf32>
  %0 = forge.multiply %a, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = forge.matmul %0, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// QuickGELU between two projections: the scale is folded into the first projection and its bias, the inverse into the
// second.
// CHECK-LABEL: func.func @quick_gelu(
//       CHECK: %[[C:.+]] = forge.scalar_constant constant 1.702000e+00
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %[[C]] : (tensor<8x16xf32>, tensor<1xf32>)
//       CHECK: %[[D:.+]] = forge.scalar_constant constant 1.702000e+00
//       CHECK: %[[B:.+]] = forge.multiply %{{.+}}, %[[D]] : (tensor<16xf32>, tensor<1xf32>)
//       CHECK: %[[Y:.+]] = forge.matmul %arg0, %[[W]], %[[B]]
//       CHECK: %[[S:.+]] = forge.sigmoid %[[Y]]
//       CHECK: %[[G:.+]] = forge.multiply %[[Y]], %[[S]]
//       CHECK: %[[I:.+]] = forge.scalar_constant constant 0.587544
//       CHECK: %[[V:.+]] = forge.multiply %{{.+}}, %[[I]] : (tensor<16x8xf32>, tensor<1xf32>)
//       CHECK: forge.matmul %[[G]], %[[V]]
func.func @quick_gelu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = forge.parameter "w" : tensor<8x16xf32>
  %b = forge.parameter "b" : tensor<16xf32>
  %v = forge.parameter "v" : tensor<16x8xf32>
  %c = forge.scalar_constant constant 1.702000e+00 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %1 = forge.multiply %0, %c : (tensor<4x16xf32>, tensor<1xf32>) -> tensor<4x16xf32>
  %2 = forge.sigmoid %1 : tensor<4x16xf32>
  %3 = forge.multiply %0, %2 : tensor<4x16xf32>
  %4 = forge.matmul %3, %v : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// Hard swish used by a squeeze-and-excite block: its factor is moved through the pool and through the product with the
// gate, once each.
// CHECK-LABEL: func.func @hard_swish(
//       CHECK: %[[Y:.+]] = forge.conv2d %arg0
//   CHECK-NOT: forge.divide %[[Y]]
//       CHECK: %[[A:.+]] = forge.add %[[Y]]
//       CHECK: %[[K:.+]] = forge.clip %[[A]]
//       CHECK: %[[H:.+]] = forge.multiply %[[Y]], %[[K]]
//       CHECK: %[[P:.+]] = forge.avg_pool2d %[[H]]
//       CHECK: %[[U:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<4x4x1x1xf32>, tensor<1xf32>)
//       CHECK: %[[Q:.+]] = forge.conv2d %[[P]], %[[U]]
//       CHECK: %[[G:.+]] = forge.sigmoid %[[Q]]
//       CHECK: %[[E:.+]] = forge.multiply %[[H]], %[[G]]
//       CHECK: %[[V:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<2x4x1x1xf32>, tensor<1xf32>)
//       CHECK: forge.conv2d %[[E]], %[[V]]
func.func @hard_swish(%x: tensor<1x3x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %u = forge.parameter "u" : tensor<4x4x1x1xf32>
  %v = forge.parameter "v" : tensor<2x4x1x1xf32>
  %six = forge.scalar_constant constant 6.000000e+00 dtype f32 : () -> tensor<1xf32>
  %half = forge.scalar_constant constant 5.000000e-01 dtype f32 : () -> tensor<1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = forge.divide %0, %six : (tensor<1x4x8x8xf32>, tensor<1xf32>) -> tensor<1x4x8x8xf32>
  %2 = forge.add %1, %half : (tensor<1x4x8x8xf32>, tensor<1xf32>) -> tensor<1x4x8x8xf32>
  %3 = forge.clip %2 min 0.000000e+00 max 1.000000e+00 : tensor<1x4x8x8xf32>
  %4 = forge.multiply %0, %3 : tensor<1x4x8x8xf32>
  %5 = forge.avg_pool2d %4 kernel_size [8, 8] stride [8, 8] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>) -> tensor<1x4x1x1xf32>
  %6 = forge.conv2d %5, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x1x1xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %7 = forge.sigmoid %6 : tensor<1x4x1x1xf32>
  %8 = forge.multiply %4, %7 : (tensor<1x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %9 = forge.conv2d %8, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<2x4x1x1xf32>) -> tensor<1x2x8x8xf32>
  return %9 : tensor<1x2x8x8xf32>
}

// Unchanged: a square of the gated value would have the factor twice, and a residual addition or a result of the
// function needs the value without it.
// CHECK-LABEL: func.func @squared(
//       CHECK: forge.multiply %{{.+}}, %{{.+}} : (tensor<4x8xf32>, tensor<1xf32>)
func.func @squared(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %c = forge.scalar_constant constant 1.702000e+00 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %0, %c : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %2 = forge.sigmoid %1 : tensor<4x8xf32>
  %3 = forge.multiply %0, %2 : tensor<4x8xf32>
  %4 = forge.multiply %3, %3 : tensor<4x8xf32>
  %5 = forge.matmul %4, %v : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @residual(
//       CHECK: %[[X:.+]] = forge.matmul %arg0
//       CHECK: forge.multiply %[[X]], %{{.+}} : (tensor<4x8xf32>, tensor<1xf32>)
func.func @residual(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %c = forge.scalar_constant constant 1.702000e+00 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %0, %c : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %2 = forge.sigmoid %1 : tensor<4x8xf32>
  %3 = forge.multiply %0, %2 : tensor<4x8xf32>
  %4 = forge.add %3, %x : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// The value before the scale has another user.
// CHECK-LABEL: func.func @other_user(
//       CHECK: %[[X:.+]] = forge.matmul %arg0
//       CHECK: forge.multiply %[[X]], %{{.+}} : (tensor<4x8xf32>, tensor<1xf32>)
func.func @other_user(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %c = forge.scalar_constant constant 1.702000e+00 dtype f32 : () -> tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %0, %c : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %2 = forge.sigmoid %1 : tensor<4x8xf32>
  %3 = forge.multiply %0, %2 : tensor<4x8xf32>
  %4 = forge.matmul %3, %v : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %4, %0 : tensor<4x8xf32>, tensor<4x8xf32>
}

// RUN: forge-opt %s --forge-column-products=fast-math=zero-products --forge-merge-equal | FileCheck %s
// RUN: forge-opt %s --forge-column-products | FileCheck %s --check-prefix=EXACT

// Without --fast-math=zero-products nothing is rewritten: an infinity would make its whole row NaN.
// EXACT-NOT: forge.adv_index

// Queries and keys with swapped halves share one permutation matrix and one permuted sine table.
// CHECK-LABEL: func.func @halves(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "cos" : tensor<1x1x5x4xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "sin" : tensor<1x1x5x4xf32>
// CHECK-DAG: %[[V2:.+]] = forge.multiply %arg0, %[[V0]] : (tensor<1x4x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<1x4x5x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<[2, 3, 0, 1]> : tensor<4xi32>
// CHECK-DAG: %[[V4:.+]] = forge.adv_index %[[V1]], %[[V3]] dim -1 : (tensor<1x1x5x4xf32>, tensor<4xi32>) -> tensor<1x1x5x4xf32>
// CHECK-DAG: %[[V5:.+]] = forge.multiply %arg0, %[[V4]] : (tensor<1x4x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<1x4x5x4xf32>
// CHECK-DAG: %[[V6:.+]] = forge.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00], [1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<4x4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.matmul %[[V5]], %[[V6]], %[[V2]] : (tensor<1x4x5x4xf32>, tensor<4x4xf32>, tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
// CHECK-DAG: %[[V8:.+]] = forge.multiply %arg1, %[[V0]] : (tensor<1x2x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<1x2x5x4xf32>
// CHECK-DAG: %[[V9:.+]] = forge.multiply %arg1, %[[V4]] : (tensor<1x2x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<1x2x5x4xf32>
// CHECK-DAG: %[[V10:.+]] = forge.matmul %[[V9]], %[[V6]], %[[V8]] : (tensor<1x2x5x4xf32>, tensor<4x4xf32>, tensor<1x2x5x4xf32>) -> tensor<1x2x5x4xf32>
// CHECK: return %[[V7]], %[[V10]] : tensor<1x4x5x4xf32>, tensor<1x2x5x4xf32>
func.func @halves(%q: tensor<1x4x5x4xf32>, %k: tensor<1x2x5x4xf32>) -> (tensor<1x4x5x4xf32>, tensor<1x2x5x4xf32>) {
  %cos = forge.parameter "cos" : tensor<1x1x5x4xf32>
  %sin = forge.parameter "sin" : tensor<1x1x5x4xf32>
  %0 = forge.multiply %q, %cos : (tensor<1x4x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<1x4x5x4xf32>
  %1 = forge.index %q dim -1 [2:4] : (tensor<1x4x5x4xf32>) -> tensor<1x4x5x2xf32>
  %2 = forge.index %q dim -1 [0:2] : (tensor<1x4x5x4xf32>) -> tensor<1x4x5x2xf32>
  %3 = forge.concatenate %1, %2 axis -1 : (tensor<1x4x5x2xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x4xf32>
  %4 = forge.multiply %sin, %3 : (tensor<1x1x5x4xf32>, tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  %5 = forge.add %4, %0 : tensor<1x4x5x4xf32>
  %6 = forge.multiply %k, %cos : (tensor<1x2x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<1x2x5x4xf32>
  %7 = forge.index %k dim -1 [2:4] : (tensor<1x2x5x4xf32>) -> tensor<1x2x5x2xf32>
  %8 = forge.index %k dim -1 [0:2] : (tensor<1x2x5x4xf32>) -> tensor<1x2x5x2xf32>
  %9 = forge.concatenate %7, %8 axis -1 : (tensor<1x2x5x2xf32>, tensor<1x2x5x2xf32>) -> tensor<1x2x5x4xf32>
  %10 = forge.multiply %9, %sin : (tensor<1x2x5x4xf32>, tensor<1x1x5x4xf32>) -> tensor<1x2x5x4xf32>
  %11 = forge.add %6, %10 : tensor<1x2x5x4xf32>
  return %5, %11 : tensor<1x4x5x4xf32>, tensor<1x2x5x4xf32>
}

// Adjacent columns are swapped, one of each pair negated, by stacking them on an axis of their own.
// CHECK-LABEL: func.func @pairs(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "cos" : tensor<3x4xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "sin" : tensor<3x4xf32>
// CHECK-DAG: %[[V2:.+]] = forge.multiply %arg0, %[[V0]] : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<[1, 0, 3, 2]> : tensor<4xi32>
// CHECK-DAG: %[[V4:.+]] = forge.adv_index %[[V1]], %[[V3]] dim -1 : (tensor<3x4xf32>, tensor<4xi32>) -> tensor<3x4xf32>
// CHECK-DAG: %[[V5:.+]] = forge.multiply %arg0, %[[V4]] : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-DAG: %[[V6:.+]] = forge.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00, -1.000000e+00, 0.000000e+00]]> : tensor<4x4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.matmul %[[V5]], %[[V6]], %[[V2]] : (tensor<2x3x4xf32>, tensor<4x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK: return %[[V7]] : tensor<2x3x4xf32>
func.func @pairs(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %cos = forge.parameter "cos" : tensor<3x4xf32>
  %sin = forge.parameter "sin" : tensor<3x4xf32>
  %minus = forge.scalar_constant constant -1.0 dtype f32 : () -> tensor<1xf32>
  %0 = forge.index %x dim 2 [0:4:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  %1 = forge.index %x dim 2 [1:4:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  %2 = forge.multiply %1, %minus : (tensor<2x3x2xf32>, tensor<1xf32>) -> tensor<2x3x2xf32>
  %3 = forge.reshape %2 shape [6, 2, 1] : (tensor<2x3x2xf32>) -> tensor<6x2x1xf32>
  %4 = forge.reshape %0 shape [6, 2, 1] : (tensor<2x3x2xf32>) -> tensor<6x2x1xf32>
  %5 = forge.concatenate %3, %4 axis 2 : (tensor<6x2x1xf32>, tensor<6x2x1xf32>) -> tensor<6x2x2xf32>
  %6 = forge.reshape %5 shape [2, 3, 4] : (tensor<6x2x2xf32>) -> tensor<2x3x4xf32>
  %7 = forge.multiply %6, %sin : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  %8 = forge.multiply %x, %cos : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  %9 = forge.add %8, %7 : tensor<2x3x4xf32>
  return %9 : tensor<2x3x4xf32>
}

// The first two of four columns are rotated, the others pass unchanged; all four are a slice of six columns.
// CHECK-LABEL: func.func @first_two_columns(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "cos" : tensor<3x2xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "sin" : tensor<3x2xf32>
// CHECK-DAG: %[[V2:.+]] = forge.index %arg0 dim -1 [2:6] : (tensor<2x3x6xf32>) -> tensor<2x3x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<1.000000e+00> : tensor<3x1xf32>
// CHECK-DAG: %[[V4:.+]] = forge.concatenate %[[V0]], %[[V3]] axis -1 : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x3xf32>
// CHECK-DAG: %[[V5:.+]] = forge.constant dense<[0, 1, 2, 2]> : tensor<4xi32>
// CHECK-DAG: %[[V6:.+]] = forge.adv_index %[[V4]], %[[V5]] dim -1 : (tensor<3x3xf32>, tensor<4xi32>) -> tensor<3x4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.multiply %[[V2]], %[[V6]] : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-DAG: %[[V8:.+]] = forge.constant dense<[1, 0, 1, 1]> : tensor<4xi32>
// CHECK-DAG: %[[V9:.+]] = forge.adv_index %[[V1]], %[[V8]] dim -1 : (tensor<3x2xf32>, tensor<4xi32>) -> tensor<3x4xf32>
// CHECK-DAG: %[[V10:.+]] = forge.multiply %[[V2]], %[[V9]] : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-DAG: %[[V11:.+]] = forge.constant dense<{{\[\[}}0.000000e+00, -1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<4x4xf32>
// CHECK-DAG: %[[V12:.+]] = forge.matmul %[[V10]], %[[V11]], %[[V7]] : (tensor<2x3x4xf32>, tensor<4x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK: return %[[V12]] : tensor<2x3x4xf32>
func.func @first_two_columns(%x: tensor<2x3x6xf32>) -> tensor<2x3x4xf32> {
  %cos = forge.parameter "cos" : tensor<3x2xf32>
  %sin = forge.parameter "sin" : tensor<3x2xf32>
  %0 = forge.index %x dim 2 [2:4] : (tensor<2x3x6xf32>) -> tensor<2x3x2xf32>
  %1 = forge.index %x dim 2 [4:6] : (tensor<2x3x6xf32>) -> tensor<2x3x2xf32>
  %2 = forge.multiply %0, %cos : (tensor<2x3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x2xf32>
  %3 = forge.index %0 dim 2 [1:2] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %4 = forge.index %0 dim 2 [0:1] : (tensor<2x3x2xf32>) -> tensor<2x3x1xf32>
  %5 = forge.concatenate %3, %4 axis 2 : (tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x2xf32>
  %6 = forge.multiply %5, %sin : (tensor<2x3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x2xf32>
  %7 = forge.subtract %2, %6 : tensor<2x3x2xf32>
  %8 = forge.concatenate %7, %1 axis 2 : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x4xf32>
  return %8 : tensor<2x3x4xf32>
}

// A permutation of columns without arithmetic stays: an infinity in one column would make all of them NaN.
// CHECK-LABEL: func.func @movement(
// CHECK-NOT: forge.matmul
// CHECK: return
func.func @movement(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = forge.index %x dim 2 [2:4] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  %1 = forge.index %x dim 2 [0:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  %2 = forge.concatenate %0, %1 axis 2 : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}

// Unchanged: columns of two different values; a column that is used at two other positions; and slices with other
// users, so that nothing would be saved.
// CHECK-LABEL: func.func @unchanged(
// CHECK-NOT: forge.matmul
// CHECK: return
func.func @unchanged(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>)
    -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x2xf32>) {
  %a = forge.parameter "a" : tensor<2x4xf32>
  %b = forge.parameter "b" : tensor<2x4xf32>
  %0 = forge.index %x dim 1 [2:4] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %1 = forge.index %x dim 1 [0:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %2 = forge.index %y dim 1 [0:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %3 = forge.multiply %x, %a : tensor<2x4xf32>
  %4 = forge.concatenate %0, %2 axis 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %5 = forge.multiply %4, %b : tensor<2x4xf32>
  %6 = forge.add %3, %5 : tensor<2x4xf32>
  %7 = forge.concatenate %0, %0 axis 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %8 = forge.multiply %7, %b : tensor<2x4xf32>
  %9 = forge.add %3, %8 : tensor<2x4xf32>
  %10 = forge.concatenate %0, %1 axis 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %11 = forge.add %3, %10 : tensor<2x4xf32>
  return %6, %9, %11, %1 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x2xf32>
}

// With one head, columns can be traced beyond the reshape to a value with other axes: the source is the last value with
// the same axes.
// CHECK-LABEL: func.func @one_head(
// CHECK: %[[H:.+]] = forge.reshape %{{.+}} shape [1, 1, 3, 4]
// CHECK: %[[Y:.+]] = forge.matmul %{{.+}}, %{{.+}}, %{{.+}} : (tensor<1x1x3x4xf32>, tensor<4x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK-NEXT: return %[[Y]]
func.func @one_head(%x: tensor<1x3x8xf32>) -> tensor<1x1x3x4xf32> {
  %cos = forge.parameter "cos" : tensor<3x4xf32>
  %sin = forge.parameter "sin" : tensor<3x4xf32>
  %heads = forge.reshape %x shape [1, 3, 2, 4] : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
  %0 = forge.index %heads dim -2 [1:2] : (tensor<1x3x2x4xf32>) -> tensor<1x3x1x4xf32>
  %1 = forge.reshape %0 shape [1, 1, 3, 4] : (tensor<1x3x1x4xf32>) -> tensor<1x1x3x4xf32>
  %2 = forge.multiply %1, %cos : (tensor<1x1x3x4xf32>, tensor<3x4xf32>) -> tensor<1x1x3x4xf32>
  %3 = forge.index %1 dim -1 [2:4] : (tensor<1x1x3x4xf32>) -> tensor<1x1x3x2xf32>
  %4 = forge.index %1 dim -1 [0:2] : (tensor<1x1x3x4xf32>) -> tensor<1x1x3x2xf32>
  %5 = forge.concatenate %3, %4 axis -1 : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x3x4xf32>
  %6 = forge.multiply %5, %sin : (tensor<1x1x3x4xf32>, tensor<3x4xf32>) -> tensor<1x1x3x4xf32>
  %7 = forge.add %2, %6 : tensor<1x1x3x4xf32>
  return %7 : tensor<1x1x3x4xf32>
}

// Two columns of the result are each the sum of two other columns: a product could add them in another order.
// CHECK-LABEL: func.func @second_source(
// CHECK-NOT: forge.matmul
func.func @second_source(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = forge.index %x dim -1 [1:2] : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %1 = forge.index %x dim -1 [2:3] : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %2 = forge.index %x dim -1 [1:3] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  %3 = forge.index %x dim -1 [3:4] : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %4 = forge.index %x dim -1 [0:1] : (tensor<2x4xf32>) -> tensor<2x1xf32>
  %5 = forge.add %0, %1 : tensor<2x1xf32>
  %6 = forge.add %3, %4 : tensor<2x1xf32>
  %7 = forge.concatenate %5, %2, %6 axis -1 : (tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  return %7 : tensor<2x4xf32>
}

// Of the moved columns, two are multiplied by columns of a table, and two by a number: these read a column of ones.
// CHECK-LABEL: func.func @numbers_and_table(
//       CHECK: %[[ONES:.+]] = forge.constant dense<1.000000e+00> : tensor<3x1xf32>
//       CHECK: forge.concatenate %{{.+}}, %[[ONES]] axis -1
//       CHECK: %[[Y:.+]] = forge.matmul
//  CHECK-NEXT: return %[[Y]]
func.func @numbers_and_table(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %cos = forge.parameter "cos" : tensor<3x4xf32>
  %sin = forge.parameter "sin" : tensor<3x2xf32>
  %half = forge.scalar_constant constant 0.5 dtype f32 : () -> tensor<1xf32>
  %0 = forge.multiply %x, %cos : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  %1 = forge.index %x dim -1 [2:4] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  %2 = forge.index %x dim -1 [0:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  %3 = forge.multiply %1, %sin : (tensor<2x3x2xf32>, tensor<3x2xf32>) -> tensor<2x3x2xf32>
  %4 = forge.multiply %2, %half : (tensor<2x3x2xf32>, tensor<1xf32>) -> tensor<2x3x2xf32>
  %5 = forge.concatenate %3, %4 axis -1 : (tensor<2x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x4xf32>
  %6 = forge.add %0, %5 : tensor<2x3x4xf32>
  return %6 : tensor<2x3x4xf32>
}

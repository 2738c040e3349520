// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// The scale of the scores is folded into the projection of the queries, the negation of a half into the sine table.
// CHECK-LABEL: func.func @embedding(
//      CHECK: %[[SCALE:.+]] = forge.scalar_constant constant 2.500000e-01
//      CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %[[SCALE]] : (tensor<8x8xf32>, tensor<1xf32>) -> tensor<8x8xf32>
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %[[W]]
//      CHECK: %[[A:.+]] = forge.index %[[H:.+]] dim -1 [0:2]
//      CHECK: %[[B:.+]] = forge.index %[[H]] dim -1 [2:4]
//      CHECK: %[[SIGNS:.+]] = forge.constant dense<[-1.000000e+00, -1.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
//      CHECK: %[[TABLE:.+]] = forge.multiply %{{.+}}, %[[SIGNS]] : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
//      CHECK: %[[R:.+]] = forge.concatenate %[[B]], %[[A]] axis -1
//      CHECK: %[[RS:.+]] = forge.multiply %[[R]], %[[TABLE]]
//      CHECK: %[[Q:.+]] = forge.add %{{.+}}, %[[RS]]
//      CHECK: %[[S:.+]] = forge.matmul %[[Q]], %arg1
// CHECK-NEXT: return %[[S]]
func.func @embedding(%x: tensor<1x6x8xf32>, %k: tensor<1x2x4x6xf32>) -> tensor<1x2x6x6xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %cos = forge.parameter "cos" : tensor<6x4xf32>
  %sin = forge.parameter "sin" : tensor<6x4xf32>
  %minus = forge.scalar_constant constant -1.0 dtype f32 : tensor<1xf32>
  %scale = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x6x8xf32>, tensor<8x8xf32>) -> tensor<1x6x8xf32>
  %1 = forge.reshape %0 shape [1, 6, 2, 4] : (tensor<1x6x8xf32>) -> tensor<1x6x2x4xf32>
  %2 = forge.transpose %1 dims -3, -2 : (tensor<1x6x2x4xf32>) -> tensor<1x2x6x4xf32>
  %3 = forge.multiply %2, %cos : (tensor<1x2x6x4xf32>, tensor<6x4xf32>) -> tensor<1x2x6x4xf32>
  %4 = forge.index %2 dim -1 [0:2] : (tensor<1x2x6x4xf32>) -> tensor<1x2x6x2xf32>
  %5 = forge.index %2 dim -1 [2:4] : (tensor<1x2x6x4xf32>) -> tensor<1x2x6x2xf32>
  %6 = forge.multiply %5, %minus : (tensor<1x2x6x2xf32>, tensor<1xf32>) -> tensor<1x2x6x2xf32>
  %7 = forge.concatenate %6, %4 axis -1 : (tensor<1x2x6x2xf32>, tensor<1x2x6x2xf32>) -> tensor<1x2x6x4xf32>
  %8 = forge.multiply %7, %sin : (tensor<1x2x6x4xf32>, tensor<6x4xf32>) -> tensor<1x2x6x4xf32>
  %9 = forge.add %3, %8 : tensor<1x2x6x4xf32>
  %10 = forge.matmul %9, %k : (tensor<1x2x6x4xf32>, tensor<1x2x4x6xf32>) -> tensor<1x2x6x6xf32>
  %11 = forge.multiply %10, %scale : (tensor<1x2x6x6xf32>, tensor<1xf32>) -> tensor<1x2x6x6xf32>
  return %11 : tensor<1x2x6x6xf32>
}

// Unchanged: the scaled region is not linear, or a value in it has another user.
// CHECK-LABEL: func.func @not_linear_or_other_user(
//      CHECK: %[[R:.+]] = forge.relu
//      CHECK: %[[A:.+]] = forge.add %{{.+}}, %[[R]]
//      CHECK: forge.multiply %[[A]],
//      CHECK: %[[B:.+]] = forge.add
//      CHECK: forge.multiply %[[B]],
func.func @not_linear_or_other_user(%x: tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
  %u = forge.parameter "u" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %t = forge.parameter "t" : tensor<6x8xf32>
  %scale = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %u : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %1 = forge.relu %0 : tensor<6x8xf32>
  %2 = forge.add %0, %1 : tensor<6x8xf32>
  %3 = forge.multiply %2, %scale : (tensor<6x8xf32>, tensor<1xf32>) -> tensor<6x8xf32>
  %4 = forge.matmul %x, %v : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %5 = forge.multiply %4, %t : tensor<6x8xf32>
  %6 = forge.add %4, %5 : tensor<6x8xf32>
  %7 = forge.multiply %6, %scale : (tensor<6x8xf32>, tensor<1xf32>) -> tensor<6x8xf32>
  return %3, %4, %7 : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
}

// An input table is multiplied by signs if that replaces the negations before two products, not if it replaces one.
// CHECK-LABEL: func.func @input_tables(
//      CHECK: %[[T:.+]] = forge.multiply %arg2, %{{.+}} : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
//      CHECK: forge.concatenate %arg0, %arg1 axis -1
//      CHECK: forge.multiply %{{.+}}, %[[T]]
//      CHECK: forge.concatenate %arg1, %arg0 axis -1
//      CHECK: forge.multiply %{{.+}}, %[[T]]
//      CHECK: forge.multiply %{{.+}}, %{{.+}} : (tensor<6x2xf32>, tensor<1xf32>) -> tensor<6x2xf32>
//      CHECK: forge.multiply %{{.+}}, %arg3
func.func @input_tables(%x: tensor<6x2xf32>, %y: tensor<6x2xf32>, %s: tensor<6x4xf32>, %t: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>) {
  %minus = forge.scalar_constant constant -1.0 dtype f32 : tensor<1xf32>
  %0 = forge.multiply %x, %minus : (tensor<6x2xf32>, tensor<1xf32>) -> tensor<6x2xf32>
  %1 = forge.concatenate %0, %y axis -1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
  %2 = forge.multiply %1, %s : tensor<6x4xf32>
  %3 = forge.multiply %y, %minus : (tensor<6x2xf32>, tensor<1xf32>) -> tensor<6x2xf32>
  %4 = forge.concatenate %3, %x axis -1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
  %5 = forge.multiply %4, %s : tensor<6x4xf32>
  %6 = forge.multiply %y, %minus : (tensor<6x2xf32>, tensor<1xf32>) -> tensor<6x2xf32>
  %7 = forge.concatenate %6, %y axis -1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
  %8 = forge.multiply %7, %t : tensor<6x4xf32>
  return %2, %5, %8 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>
}

// Two products with different signs each read a table of their own.
// CHECK-LABEL: func.func @other_signs(
//  CHECK-DAG: %[[FIRST:.+]] = forge.constant dense<[-1.000000e+00, -1.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
//  CHECK-DAG: %[[LAST:.+]] = forge.constant dense<[1.000000e+00, 1.000000e+00, -1.000000e+00, -1.000000e+00]> : tensor<4xf32>
//  CHECK-DAG: %[[S:.+]] = forge.multiply %[[SIN:.+]], %[[FIRST]]
//  CHECK-DAG: %[[T:.+]] = forge.multiply %[[SIN]], %[[LAST]]
//  CHECK-DAG: %[[X:.+]] = forge.concatenate %arg0, %arg1 axis -1
//  CHECK-DAG: %[[Y:.+]] = forge.concatenate %arg1, %arg0 axis -1
//  CHECK-DAG: %[[P:.+]] = forge.multiply %[[X]], %[[S]]
//  CHECK-DAG: %[[Q:.+]] = forge.multiply %[[Y]], %[[T]]
//      CHECK: return %[[P]], %[[Q]]
func.func @other_signs(%x: tensor<6x2xf32>, %y: tensor<6x2xf32>) -> (tensor<6x4xf32>, tensor<6x4xf32>) {
  %sin = forge.parameter "sin" : tensor<6x4xf32>
  %minus = forge.scalar_constant constant -1.0 dtype f32 : tensor<1xf32>
  %0 = forge.multiply %x, %minus : (tensor<6x2xf32>, tensor<1xf32>) -> tensor<6x2xf32>
  %1 = forge.concatenate %0, %y axis -1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
  %2 = forge.multiply %1, %sin : tensor<6x4xf32>
  %3 = forge.multiply %x, %minus : (tensor<6x2xf32>, tensor<1xf32>) -> tensor<6x2xf32>
  %4 = forge.concatenate %y, %3 axis -1 : (tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x4xf32>
  %5 = forge.multiply %4, %sin : tensor<6x4xf32>
  return %2, %5 : tensor<6x4xf32>, tensor<6x4xf32>
}

// A division by a scalar is folded like a scale.
// CHECK-LABEL: func.func @quotient(
//      CHECK: %[[SCALE:.+]] = forge.scalar_constant constant 2.500000e-01
//      CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %[[SCALE]] : (tensor<8x8xf32>, tensor<1xf32>) -> tensor<8x8xf32>
//      CHECK: forge.matmul %arg0, %[[W]]
//  CHECK-NOT: forge.divide
//      CHECK: return
func.func @quotient(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %cos = forge.parameter "cos" : tensor<6x8xf32>
  %sin = forge.parameter "sin" : tensor<6x8xf32>
  %four = forge.scalar_constant constant 4.0 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %1 = forge.multiply %0, %cos : tensor<6x8xf32>
  %2 = forge.index %0 dim -1 [4:8] : (tensor<6x8xf32>) -> tensor<6x4xf32>
  %3 = forge.index %0 dim -1 [0:4] : (tensor<6x8xf32>) -> tensor<6x4xf32>
  %4 = forge.concatenate %2, %3 axis -1 : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
  %5 = forge.multiply %4, %sin : tensor<6x8xf32>
  %6 = forge.add %1, %5 : tensor<6x8xf32>
  %7 = forge.divide %6, %four : (tensor<6x8xf32>, tensor<1xf32>) -> tensor<6x8xf32>
  return %7 : tensor<6x8xf32>
}

// Queries and keys that are not linear in a projection: the square root of the scale is folded into the tables of both,
// once per table.
// CHECK-LABEL: func.func @into_tables(
//      CHECK: %[[ROOT:.+]] = forge.scalar_constant constant 5.000000e-01
// CHECK-NEXT: %[[COS:.+]] = forge.multiply %{{.+}}, %[[ROOT]] : (tensor<6x4xf32>, tensor<1xf32>) -> tensor<6x4xf32>
//      CHECK: forge.multiply %{{.+}}, %[[COS]] : (tensor<2x6x4xf32>, tensor<6x4xf32>)
//      CHECK: %[[SIN:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<6x4xf32>, tensor<1xf32>) -> tensor<6x4xf32>
//      CHECK: forge.multiply %{{.+}}, %[[SIN]] : (tensor<2x6x4xf32>, tensor<6x4xf32>)
//      CHECK: forge.multiply %{{.+}}, %[[COS]] : (tensor<2x6x4xf32>, tensor<6x4xf32>)
//      CHECK: forge.multiply %{{.+}}, %[[SIN]] : (tensor<2x6x4xf32>, tensor<6x4xf32>)
//      CHECK: %[[S:.+]] = forge.matmul %{{.+}}, %{{.+}} : (tensor<2x6x4xf32>, tensor<2x4x6xf32>) -> tensor<2x6x6xf32>
// CHECK-NEXT: return %[[S]]
func.func @into_tables(%q: tensor<2x6x4xf32>, %k: tensor<2x6x4xf32>) -> tensor<2x6x6xf32> {
  %cos = forge.parameter "cos" : tensor<6x4xf32>
  %sin = forge.parameter "sin" : tensor<6x4xf32>
  %scale = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %0 = forge.multiply %q, %cos : (tensor<2x6x4xf32>, tensor<6x4xf32>) -> tensor<2x6x4xf32>
  %1 = forge.index %q dim -1 [2:4] : (tensor<2x6x4xf32>) -> tensor<2x6x2xf32>
  %2 = forge.index %q dim -1 [0:2] : (tensor<2x6x4xf32>) -> tensor<2x6x2xf32>
  %3 = forge.concatenate %1, %2 axis -1 : (tensor<2x6x2xf32>, tensor<2x6x2xf32>) -> tensor<2x6x4xf32>
  %4 = forge.multiply %3, %sin : (tensor<2x6x4xf32>, tensor<6x4xf32>) -> tensor<2x6x4xf32>
  %5 = forge.add %0, %4 : tensor<2x6x4xf32>
  %6 = forge.multiply %k, %cos : (tensor<2x6x4xf32>, tensor<6x4xf32>) -> tensor<2x6x4xf32>
  %7 = forge.index %k dim -1 [2:4] : (tensor<2x6x4xf32>) -> tensor<2x6x2xf32>
  %8 = forge.index %k dim -1 [0:2] : (tensor<2x6x4xf32>) -> tensor<2x6x2xf32>
  %9 = forge.concatenate %7, %8 axis -1 : (tensor<2x6x2xf32>, tensor<2x6x2xf32>) -> tensor<2x6x4xf32>
  %10 = forge.multiply %9, %sin : (tensor<2x6x4xf32>, tensor<6x4xf32>) -> tensor<2x6x4xf32>
  %11 = forge.add %6, %10 : tensor<2x6x4xf32>
  %12 = forge.transpose %11 dims -2, -1 : (tensor<2x6x4xf32>) -> tensor<2x4x6xf32>
  %13 = forge.matmul %5, %12 : (tensor<2x6x4xf32>, tensor<2x4x6xf32>) -> tensor<2x6x6xf32>
  %14 = forge.multiply %13, %scale : (tensor<2x6x6xf32>, tensor<1xf32>) -> tensor<2x6x6xf32>
  return %14 : tensor<2x6x6xf32>
}

// The left operand is a sum with an input, which has no weights. What was collected for it is discarded, and the scale
// is folded into the weights of the right operand alone.
// CHECK-LABEL: func.func @only_right_operand(
//      CHECK: %[[W:.+]] = forge.parameter "w"
//      CHECK: %[[V:.+]] = forge.parameter "v"
//      CHECK: forge.matmul %arg0, %[[W]] :
//      CHECK: %[[SCALE:.+]] = forge.scalar_constant constant 2.500000e-01
//      CHECK: %[[SCALED:.+]] = forge.multiply %[[V]], %[[SCALE]]
//      CHECK: forge.matmul %arg0, %[[SCALED]] :
//      CHECK: %[[S:.+]] = forge.matmul
// CHECK-NEXT: return %[[S]]
func.func @only_right_operand(%x: tensor<4x8xf32>, %k: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %quarter = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = forge.add %0, %x : tensor<4x8xf32>
  %2 = forge.matmul %x, %v : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = forge.multiply %1, %2 : tensor<4x8xf32>
  %4 = forge.matmul %3, %k : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %5 = forge.multiply %4, %quarter : (tensor<4x4xf32>, tensor<1xf32>) -> tensor<4x4xf32>
  return %5 : tensor<4x4xf32>
}

// The product reads the projection through both operands: a scale folded into its weights would be applied twice. If a
// sum reads a projection and a product of it, only the projection is scaled, because the product then has the scale
// already.
// CHECK-LABEL: func.func @projection_in_both_operands(
//      CHECK: %[[S:.+]] = forge.matmul %{{.+}}, %{{.+}} : (tensor<6x8xf32>, tensor<8x6xf32>)
//      CHECK: forge.multiply %[[S]],
//      CHECK: %[[W:.+]] = forge.multiply %[[V:[0-9a-z%]+]], %{{.+}} : (tensor<8x8xf32>, tensor<1xf32>)
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %[[W]]
//      CHECK: %[[Q:.+]] = forge.matmul %[[P]], %[[V]] :
//      CHECK: %[[A:.+]] = forge.add %[[P]], %[[Q]]
// CHECK-NEXT: return %{{.+}}, %[[A]]
func.func @projection_in_both_operands(%x: tensor<6x8xf32>) -> (tensor<6x6xf32>, tensor<6x8xf32>) {
  %u = forge.parameter "u" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %scale = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %u : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<6x8xf32>) -> tensor<8x6xf32>
  %2 = forge.matmul %0, %1 : (tensor<6x8xf32>, tensor<8x6xf32>) -> tensor<6x6xf32>
  %3 = forge.multiply %2, %scale : (tensor<6x6xf32>, tensor<1xf32>) -> tensor<6x6xf32>
  %4 = forge.matmul %x, %v : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %5 = forge.matmul %4, %v : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %6 = forge.add %4, %5 : tensor<6x8xf32>
  %7 = forge.multiply %6, %scale : (tensor<6x8xf32>, tensor<1xf32>) -> tensor<6x8xf32>
  return %3, %7 : tensor<6x6xf32>, tensor<6x8xf32>
}

// Unchanged: one addend has two tables, the other none.
// CHECK-LABEL: func.func @two_tables_in_one_addend(
//      CHECK: %[[S:.+]] = forge.matmul
//      CHECK: forge.multiply %[[S]],
func.func @two_tables_in_one_addend(%x: tensor<2x6x8xf32>, %z: tensor<2x6x8xf32>, %k: tensor<2x6x8xf32>) -> tensor<2x6x6xf32> {
  %a = forge.parameter "a" : tensor<6x8xf32>
  %b = forge.parameter "b" : tensor<6x8xf32>
  %c = forge.parameter "c" : tensor<6x8xf32>
  %d = forge.parameter "d" : tensor<6x8xf32>
  %scale = forge.scalar_constant constant 0.25 dtype f32 : tensor<1xf32>
  %0 = forge.multiply %x, %z : tensor<2x6x8xf32>
  %1 = forge.multiply %a, %b : tensor<6x8xf32>
  %2 = forge.add %0, %1 : (tensor<2x6x8xf32>, tensor<6x8xf32>) -> tensor<2x6x8xf32>
  %3 = forge.multiply %k, %c : (tensor<2x6x8xf32>, tensor<6x8xf32>) -> tensor<2x6x8xf32>
  %4 = forge.multiply %x, %d : (tensor<2x6x8xf32>, tensor<6x8xf32>) -> tensor<2x6x8xf32>
  %5 = forge.add %3, %4 : tensor<2x6x8xf32>
  %6 = forge.transpose %5 dims -2, -1 : (tensor<2x6x8xf32>) -> tensor<2x8x6xf32>
  %7 = forge.matmul %2, %6 : (tensor<2x6x8xf32>, tensor<2x8x6xf32>) -> tensor<2x6x6xf32>
  %8 = forge.multiply %7, %scale : (tensor<2x6x6xf32>, tensor<1xf32>) -> tensor<2x6x6xf32>
  return %8 : tensor<2x6x6xf32>
}

// A vector of signs is folded into the table.
// CHECK-LABEL: func.func @vector_of_signs(
//      CHECK: %[[TABLE:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
//      CHECK: %[[R:.+]] = forge.multiply %arg0, %[[TABLE]] : (tensor<2x6x4xf32>, tensor<6x4xf32>)
// CHECK-NEXT: return %[[R]]
func.func @vector_of_signs(%x: tensor<2x6x4xf32>) -> tensor<2x6x4xf32> {
  %sin = forge.parameter "sin" : tensor<6x4xf32>
  %signs = forge.constant dense<[-1.0, 1.0, -1.0, 1.0]> : tensor<4xf32>
  %0 = forge.multiply %x, %signs : (tensor<2x6x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
  %1 = forge.multiply %0, %sin : (tensor<2x6x4xf32>, tensor<6x4xf32>) -> tensor<2x6x4xf32>
  return %1 : tensor<2x6x4xf32>
}

// Unchanged: the negated value has a second user, the table is an input with a single user, or the vector has other
// values than 1 and -1, with which the product rounds.
// CHECK-LABEL: func.func @signs_kept(
//  CHECK-DAG: %[[SIGNS:.+]] = forge.constant dense<[-1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00]>
//  CHECK-DAG: %[[READ:.+]] = forge.multiply %arg0, %[[SIGNS]]
//  CHECK-DAG: forge.multiply %[[READ]], %[[SIN:.+]] : (tensor<2x6x4xf32>, tensor<6x4xf32>)
//  CHECK-DAG: %[[ONCE:.+]] = forge.multiply %arg1, %[[SIGNS]]
//  CHECK-DAG: forge.multiply %[[ONCE]], %arg2
//  CHECK-DAG: %[[OTHER:.+]] = forge.multiply %arg1, %{{.+}} : (tensor<2x6x4xf32>, tensor<4xf32>)
//  CHECK-DAG: forge.multiply %[[OTHER]], %[[SIN]]
//      CHECK: return
func.func @signs_kept(%x: tensor<2x6x4xf32>, %y: tensor<2x6x4xf32>, %t: tensor<6x4xf32>) -> (tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>) {
  %sin = forge.parameter "sin" : tensor<6x4xf32>
  %signs = forge.constant dense<[-1.0, 1.0, -1.0, 1.0]> : tensor<4xf32>
  %others = forge.constant dense<[-1.0, 1.0, -1.5, 1.0]> : tensor<4xf32>
  %0 = forge.multiply %x, %signs : (tensor<2x6x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
  %1 = forge.multiply %0, %sin : (tensor<2x6x4xf32>, tensor<6x4xf32>) -> tensor<2x6x4xf32>
  %2 = forge.multiply %y, %signs : (tensor<2x6x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
  %3 = forge.multiply %2, %t : (tensor<2x6x4xf32>, tensor<6x4xf32>) -> tensor<2x6x4xf32>
  %4 = forge.multiply %y, %others : (tensor<2x6x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
  %5 = forge.multiply %4, %sin : (tensor<2x6x4xf32>, tensor<6x4xf32>) -> tensor<2x6x4xf32>
  return %0, %1, %3, %5 : tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>
}

// Signs of weights stay where they are: moved to another weight, they would be moved back.
// CHECK-LABEL: func.func @signs_of_weights(
// CHECK: forge.add %arg0
func.func @signs_of_weights(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = forge.parameter "w" : tensor<4x8xf32>
  %v = forge.parameter "v" : tensor<4x8xf32>
  %s = forge.constant dense<[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0]> : tensor<8xf32>
  %0 = forge.multiply %w, %s : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %0, %v : tensor<4x8xf32>
  %2 = forge.add %x, %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// No call is added for signs that are in weights.
// CHECK-LABEL: func.func @signs_in_weights(
// CHECK-COUNT-2: forge.multiply %arg0,
// CHECK: return
func.func @signs_in_weights(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %w = forge.parameter "w" : tensor<4x8xf32>
  %v = forge.parameter "v" : tensor<4x8xf32>
  %s = forge.constant dense<[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0]> : tensor<8xf32>
  %0 = forge.multiply %w, %s : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %v, %s : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %2 = forge.multiply %x, %0 : tensor<4x8xf32>
  %3 = forge.multiply %x, %1 : tensor<4x8xf32>
  return %2, %3 : tensor<4x8xf32>, tensor<4x8xf32>
}

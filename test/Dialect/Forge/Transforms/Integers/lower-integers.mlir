// RUN: forge-opt %s --forge-lower-integers | FileCheck %s

// An index that may be negative is guarded.
// CHECK-LABEL: func.func @guarded(
// CHECK: %[[I:.+]] = forge.add
// CHECK: %[[NEGATIVE:.+]] = forge.less %[[I]], %{{.+}}
// CHECK-NEXT: %[[IS:.+]] = forge.cast %[[NEGATIVE]] dtype i1
// CHECK: %[[ADDED:.+]] = forge.where %[[IS]], %{{.+}}, %{{.+}}
// CHECK-NEXT: %[[INDEX:.+]] = forge.add %[[I]], %[[ADDED]]
// CHECK-NEXT: return %[[INDEX]]
func.func @guarded(%i: tensor<2xi64>, %j: tensor<2xi64>) -> tensor<2xi64> {
  %s = forge.add %i, %j : tensor<2xi64>
  %0 = forge.wrap_index %s size 9 : tensor<2xi64>
  return %0 : tensor<2xi64>
}

// One that the program is given is checked before; the least of all axes that it selects from counts.
// CHECK-LABEL: func.func @given(
// CHECK-SAME: %arg0: tensor<2xi64> {forge.index_range = array<i64: -7, 6>}
// CHECK-DAG: %[[NINE:.+]] = forge.constant dense<9>
// CHECK-DAG: %[[A:.+]] = forge.remainder %arg0, %[[NINE]]
// CHECK-DAG: %[[FLAT:.+]] = forge.reshape %arg0
// CHECK-DAG: %[[SEVEN:.+]] = forge.constant dense<7>
// CHECK-DAG: %[[B:.+]] = forge.remainder %[[FLAT]], %[[SEVEN]]
// CHECK: return %[[A]], %[[B]]
func.func @given(%i: tensor<2xi64>) -> (tensor<2xi64>, tensor<1x2xi64>) {
  %0 = forge.wrap_index %i size 9 : tensor<2xi64>
  %1 = forge.reshape %i shape [1, 2] : (tensor<2xi64>) -> tensor<1x2xi64>
  %2 = forge.wrap_index %1 size 7 : tensor<1x2xi64>
  return %0, %2 : tensor<2xi64>, tensor<1x2xi64>
}

// One that cannot be is not: by what is said of it, or by where it comes from.
// CHECK-LABEL: func.func @bare(
// CHECK-NEXT: %[[BEST:.+]] = forge.argmax
// CHECK-NEXT: return %arg0, %[[BEST]]
func.func @bare(%i: tensor<2xi64> {forge.range = array<i64: 0, 100>}, %x: tensor<2x4xf32>) -> (tensor<2xi64>, tensor<2xi32>) {
  %0 = forge.wrap_index %i size 9 : tensor<2xi64>
  %best = forge.argmax %x dim -1 : (tensor<2x4xf32>) -> tensor<2xi32>
  %1 = forge.wrap_index %best size 9 : tensor<2xi32>
  return %0, %1 : tensor<2xi64>, tensor<2xi32>
}

// Bounds that Int32 does not reach bound nothing, and comparisons with them are decided.
// CHECK-LABEL: func.func @decided(
// CHECK: %[[ONE:.+]] = forge.constant dense<1> : tensor<2xi64>
// CHECK-NEXT: return %arg0, %[[ONE]]
func.func @decided(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>) {
  %high = forge.constant dense<9223372036854775807> : tensor<i64>
  %0 = forge.min %x, %high : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  %1 = forge.less %x, %high : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %0, %1 : tensor<2xi64>, tensor<2xi64>
}

// What rests on an op that may overflow is left alone: without that op nobody would see the overflow.
// CHECK-LABEL: func.func @assumed(
// CHECK: %[[SQUARE:.+]] = forge.multiply %arg0, %arg0
// CHECK-NEXT: %[[LESS:.+]] = forge.less %[[SQUARE]]
// CHECK-NEXT: return %[[LESS]]
func.func @assumed(%x: tensor<2xi64>) -> tensor<2xi64> {
  %high = forge.constant dense<9223372036854775807> : tensor<i64>
  %0 = forge.multiply %x, %x : tensor<2xi64>
  %1 = forge.less %0, %high : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
  return %1 : tensor<2xi64>
}

// NaN is less than nothing, however its interval looks.
// CHECK-LABEL: func.func @floats(
// CHECK: forge.less
func.func @floats(%x: tensor<2xf32>) -> tensor<2xi1> {
  %two = forge.constant dense<2.0> : tensor<f32>
  %0 = forge.sigmoid %x : tensor<2xf32>
  %1 = forge.less %0, %two : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %2 = forge.cast %1 dtype i1 : (tensor<2xf32>) -> tensor<2xi1>
  return %2 : tensor<2xi1>
}

// Two quotients of floats, and a correction.
// CHECK-LABEL: func.func @quotient(
// CHECK-COUNT-2: forge.divide
// CHECK: forge.less_equal
// CHECK-NOT: forge.quotient
func.func @quotient(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = forge.quotient %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}

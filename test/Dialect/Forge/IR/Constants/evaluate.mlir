// Folds of ops that return their operand, of pairs of inverse ops, and of ops on constants.
// RUN: forge-opt %s -canonicalize -mlir-print-debuginfo=false | FileCheck %s
// RUN: forge-opt %s -canonicalize -cse -canonicalize -mlir-print-debuginfo=false | FileCheck %s

// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0, %arg0 :
func.func @nothing(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = forge.reshape %x shape [2, 4] : tensor<2x4xf32>
  %1 = forge.index %x dim 1 [0:4] : tensor<2x4xf32>
  %2 = forge.strided_slice %x dim 1 [-9:99] : tensor<2x4xf32>
  %3 = forge.select %x dim 1 index [0, 4] stride 0 : tensor<2x4xf32>
  %4 = forge.pad %x pad [0, 0] mode constant value 1.0 : tensor<2x4xf32>
  %5 = forge.constant_pad %x padding [0, 0, 0, 0] value 1.0 : tensor<2x4xf32>
  %6 = forge.broadcast %x dim 0 shape 2 : tensor<2x4xf32>
  %7 = forge.repeat %x repeats [1, 1] : tensor<2x4xf32>
  %8 = forge.repeat_interleave %x repeats 1 dim 0 : tensor<2x4xf32>
  %9 = forge.concatenate %x axis 0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %10 = forge.split %x dim 0 sizes [2] : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func.func @pairs(
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg1, %arg2, %arg0 :
func.func @pairs(%x: tensor<2x4xf32>, %h: tensor<2xf16>, %i: tensor<2xi8>, %c: tensor<4xi1>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf16>, tensor<2xi8>, tensor<2x4xf32>) {
  %0 = forge.transpose %x dims 0, 1 : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %1 = forge.transpose %0 dims -1, -2 : (tensor<4x2xf32>) -> tensor<2x4xf32>
  %2 = forge.unsqueeze %x dim 0 : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
  %3 = forge.squeeze %2 dim 0 : (tensor<1x2x4xf32>) -> tensor<2x4xf32>
  %4 = forge.reshape %2 shape [8] : (tensor<1x2x4xf32>) -> tensor<8xf32>
  %5 = forge.reshape %4 shape [2, 4] : (tensor<8xf32>) -> tensor<2x4xf32>
  %6 = forge.cast %h dtype f32 : (tensor<2xf16>) -> tensor<2xf32>
  %7 = forge.cast %6 dtype f16 : (tensor<2xf32>) -> tensor<2xf16>
  %8 = forge.cast %i dtype i32 : (tensor<2xi8>) -> tensor<2xi32>
  %9 = forge.cast %8 dtype i8 : (tensor<2xi32>) -> tensor<2xi8>
  %10 = forge.where %c, %x, %x : (tensor<4xi1>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1, %3, %5, %7, %9, %10 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2xf16>, tensor<2xi8>, tensor<2x4xf32>
}

// Unchanged: ops that are not exact, reversed slices, and identities, which are inserted on purpose.
// CHECK-LABEL: func.func @unchanged(
// CHECK-COUNT-11: forge.
// CHECK-NOT: forge.
func.func @unchanged(%x: tensor<4x4xf32>, %i: tensor<2xi32>, %c: tensor<3x4x1xi1>, %y: tensor<2x2x2xf32>, %b: tensor<2xi1>) -> (tensor<4x4xf32>, tensor<2xi32>, tensor<3x4x4xf32>, tensor<2x2x2xf32>, tensor<4x4xf32>, tensor<2xi1>) {
  %0 = forge.strided_slice %x dim 0 [-1:-99:-1] : tensor<4x4xf32>
  %1 = forge.cast %i dtype f32 : (tensor<2xi32>) -> tensor<2xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<2xf32>) -> tensor<2xi32>
  %3 = forge.where %c, %x, %x : (tensor<3x4x1xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<3x4x4xf32>
  %4 = forge.transpose %y dims 0, 1 : tensor<2x2x2xf32>
  %5 = forge.transpose %4 dims 0, 2 : tensor<2x2x2xf32>
  %6 = forge.identity %x : tensor<4x4xf32>
  %zero = forge.constant dense<0.0> : tensor<f32>
  %7 = forge.add %6, %zero : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %8 = forge.cast %b dtype f16 : (tensor<2xi1>) -> tensor<2xf16>
  %9 = forge.cast %8 dtype i1 : (tensor<2xf16>) -> tensor<2xi1>
  return %0, %2, %3, %5, %7, %9 : tensor<4x4xf32>, tensor<2xi32>, tensor<3x4x4xf32>, tensor<2x2x2xf32>, tensor<4x4xf32>, tensor<2xi1>
}

// Ops on constants are evaluated, and equal constants are merged.
// CHECK-LABEL: func.func @constants(
// CHECK-DAG: %[[SUM:.+]] = forge.constant dense<[5, 7]> : tensor<2xi32>
// CHECK-DAG: %[[A:.+]] = forge.constant dense<2> : tensor<1xi32>
// CHECK-DAG: %[[B:.+]] = forge.constant dense<3> : tensor<1xi32>
// CHECK-DAG: %[[ROW:.+]] = forge.constant dense<2> : tensor<1x2xi32>
// CHECK-DAG: %[[LOG:.+]] = forge.log
// CHECK: return %[[SUM]], %[[SUM]], %[[A]], %[[B]], %[[ROW]], %[[LOG]] :
func.func @constants() -> (tensor<2xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>, tensor<2xf32>) {
  %a = forge.constant dense<[2, 3]> : tensor<2xi32>
  %b = forge.constant dense<[3, 4]> : tensor<2xi32>
  %0 = forge.add %a, %b : tensor<2xi32>
  %1 = forge.add %b, %a : tensor<2xi32>
  %2:2 = forge.split %a dim 0 sizes [1, 1] : (tensor<2xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  %s = forge.constant dense<2> : tensor<2xi32>
  %3 = forge.unsqueeze %s dim 0 : (tensor<2xi32>) -> tensor<1x2xi32>
  %f = forge.constant dense<2.0> : tensor<2xf32>
  %4 = forge.log %f : tensor<2xf32>
  return %0, %1, %2#0, %2#1, %3, %4 : tensor<2xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>, tensor<2xf32>
}

// A clip passes on NaN and -0, and the upper bound applies if it is below the lower one. A clip with a NaN bound is not
// folded.
// CHECK-LABEL: func.func @clips(
// CHECK-DAG: %[[KEPT:.+]] = forge.constant dense<[0xFFC00000, -0.000000e+00, 1.500000e+00, 2.000000e+00]> : tensor<4xf32>
// CHECK-DAG: %[[CROSSED:.+]] = forge.constant dense<[0xFFC00000, 1.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK-DAG: %[[LEFT:.+]] = forge.clip
// CHECK: return %[[KEPT]], %[[CROSSED]], %[[LEFT]] :
func.func @clips() -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %x = forge.constant dense<[0xFFC00000, -0.0, 1.5, 7.0]> : tensor<4xf32>
  %0 = forge.clip %x min 0.0 max 2.0 : tensor<4xf32>
  %1 = forge.clip %x min 3.0 max 1.0 : tensor<4xf32>
  %2 = forge.clip %x min 0x7FC00000 max 1.0 : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @functions(
// CHECK-DAG: %[[SINE:.+]] = forge.constant dense<[0.000000e+00, 0.841470957]> : tensor<2xf32>
// CHECK-DAG: %[[COSINE:.+]] = forge.constant dense<[1.000000e+00, 0.540302277]> : tensor<2xf32>
// CHECK-DAG: %[[SIGMOID:.+]] = forge.constant dense<[5.000000e-01, 0.731058597]> : tensor<2xf32>
// CHECK-DAG: %[[RELU:.+]] = forge.constant dense<[0.000000e+00, 3.000000e+00, 0x7FC00000]> : tensor<3xf32>
// CHECK: return %[[SINE]], %[[COSINE]], %[[SIGMOID]], %[[RELU]] :
func.func @functions() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>) {
  %x = forge.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %y = forge.constant dense<[-2.0, 3.0, 0x7FC00000]> : tensor<3xf32>
  %0 = forge.sine %x : tensor<2xf32>
  %1 = forge.cosine %x : tensor<2xf32>
  %2 = forge.sigmoid %x : tensor<2xf32>
  %3 = forge.relu %y : tensor<3xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<3xf32>
}

// A mean, a product of a vector and a matrix, an embedding, and repeated elements. Indices outside the embedding table
// are not folded.
// CHECK-LABEL: func.func @contractions(
// CHECK-DAG: %[[MEAN:.+]] = forge.constant dense<{{\[}}[1.500000e+00], [3.500000e+00]]> : tensor<2x1xf32>
// CHECK-DAG: %[[ROW:.+]] = forge.constant dense<[7.000000e+00, 1.000000e+01]> : tensor<2xf32>
// CHECK-DAG: %[[ROWS:.+]] = forge.constant dense<{{\[}}[3.000000e+00, 4.000000e+00], [1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<3x2xf32>
// CHECK-DAG: %[[ITEMS:.+]] = forge.constant dense<[1, 1, 2, 2]> : tensor<4xi32>
// CHECK: return %[[MEAN]], %[[ROW]], %[[ROWS]], %[[ITEMS]] :
func.func @contractions() -> (tensor<2x1xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<4xi32>) {
  %m = forge.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %r = forge.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %i = forge.constant dense<[1, 0, 1]> : tensor<3xi32>
  %j = forge.constant dense<[1, 2]> : tensor<2xi32>
  %0 = forge.reduce_avg %m dim -1 keep_dim : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %1 = forge.matmul %r, %m : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %2 = forge.embedding %i, %m : (tensor<3xi32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %3 = forge.repeat_interleave %j repeats 2 dim 0 : (tensor<2xi32>) -> tensor<4xi32>
  return %0, %1, %2, %3 : tensor<2x1xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<4xi32>
}

// Of a sequence of reshapes the last one remains.
// CHECK-LABEL: func.func @views(
// CHECK-NEXT: %[[V:.+]] = forge.reshape %arg0 shape [4, 2] : (tensor<2x4xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: return %[[V]]
func.func @views(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %0 = forge.reshape %x shape [8] : (tensor<2x4xf32>) -> tensor<8xf32>
  %1 = forge.unsqueeze %0 dim 0 : (tensor<8xf32>) -> tensor<1x8xf32>
  %2 = forge.reshape %1 shape [4, 2] : (tensor<1x8xf32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// A write into a cache is an effect and is not removed, even if its result is unused.
// CHECK-LABEL: func.func @unused_cache_write(
// CHECK-NEXT: forge.update_cache
// CHECK-NEXT: return
func.func @unused_cache_write(%cache: tensor<1x4x16x8xf32>, %key: tensor<1x4x1x8xf32>, %place: tensor<1xi32>) {
  %0 = forge.update_cache %cache, %key, %place : (tensor<1x4x16x8xf32>, tensor<1x4x1x8xf32>, tensor<1xi32>) -> tensor<1x4x16x8xf32>
  return
}

// Unreachable code may have cycles.
// CHECK-LABEL: func.func @unreachable(
// CHECK-NEXT: return
func.func @unreachable() {
  return
^bb1:
  %0 = forge.reshape %1 shape [2, 4] : (tensor<8xf32>) -> tensor<2x4xf32>
  %1 = forge.reshape %0 shape [8] : (tensor<2x4xf32>) -> tensor<8xf32>
  %2 = forge.reshape %2 shape [8] : tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @running_sums(
//   CHECK-DAG: forge.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00], [3.000000e+00, 7.000000e+00]]>
//   CHECK-DAG: forge.constant dense<{{\[\[}}1, 2], [4, 6]]>
//   CHECK-NOT: forge.cum_sum
func.func @running_sums() -> (tensor<2x2xf32>, tensor<2x2xi32>) {
  %f = forge.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %i = forge.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = forge.cum_sum %f dim -1 : tensor<2x2xf32>
  %1 = forge.cum_sum %i dim 0 : tensor<2x2xi32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xi32>
}

// Evaluation has no integers of 2^63 or more.
// CHECK-LABEL: func.func @beyond_int64(
//   CHECK-DAG: forge.constant dense<[5.000000e+00, 7.000000e+00]>
//   CHECK-DAG: forge.cast %{{.+}} dtype f32 : (tensor<2xui64>) -> tensor<2xf32>
func.func @beyond_int64() -> (tensor<2xf32>, tensor<2xf32>) {
  %small = forge.constant dense<[5, 7]> : tensor<2xui64>
  %large = forge.constant dense<[5, 18446744073709551615]> : tensor<2xui64>
  %0 = forge.cast %small dtype f32 : (tensor<2xui64>) -> tensor<2xf32>
  %1 = forge.cast %large dtype f32 : (tensor<2xui64>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// Folds of ops on constants.
// RUN: forge-opt %s -canonicalize -mlir-print-debuginfo=false | FileCheck %s
// RUN: forge-opt %s -canonicalize -cse -canonicalize -mlir-print-debuginfo=false | FileCheck %s

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

// Integers beyond 2^53 are rounded once, not to a double before.
// CHECK-LABEL: func.func @rounded_once(
// CHECK-NEXT: forge.constant dense<1.15292164E+18>
func.func @rounded_once() -> tensor<1xf32> {
  %c = forge.constant dense<1152921573326323713> : tensor<1xi64>
  %0 = forge.cast %c dtype f32 : (tensor<1xi64>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

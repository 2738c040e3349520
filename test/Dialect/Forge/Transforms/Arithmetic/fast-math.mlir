// Each kind of --fast-math enables its own rewrites, and none of them is applied without it.
// RUN: forge-opt %s --forge-simplify-arithmetic | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: forge-opt %s --forge-simplify-arithmetic="fast-math=no-nans" | FileCheck %s --check-prefixes=CHECK,NANS
// RUN: forge-opt %s --forge-simplify-arithmetic="fast-math=no-infs" | FileCheck %s --check-prefixes=CHECK,INFS
// RUN: forge-opt %s --forge-simplify-arithmetic="fast-math=reciprocal" | FileCheck %s --check-prefixes=CHECK,RECIPROCAL
// RUN: forge-opt %s --forge-simplify-arithmetic="fast-math=reassociate" | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: forge-opt %s --forge-simplify-arithmetic="fast-math=no-nans,no-infs,reciprocal" | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: forge-opt %s --forge-simplify-arithmetic="fast-math=all" | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: not forge-opt %s --forge-simplify-arithmetic="fast-math=fast" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: {{.*}}fast-math must be no-nans, no-infs, reciprocal, reassociate, zero-products, or all, but is 'fast'

// Exporters guard a softmax by replacing NaN with 0. The guard is removed under no-nans.
// CHECK-LABEL: func.func @masked_softmax(
//       EXACT: forge.where
//        INFS: forge.where
//  RECIPROCAL: forge.where
//    NANS-NOT: forge.{{not_equal|where}}
//     ALL-NOT: forge.{{not_equal|where}}
//       CHECK: return
func.func @masked_softmax(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %zero = forge.constant dense<0.0> : tensor<f32>
  %p = forge.softmax %x dim -1 stable : tensor<2x8xf32>
  %0 = forge.not_equal %p, %p : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %1 = forge.cast %0 dtype i1 : (tensor<2x8xf32>) -> tensor<2x8xi1>
  %2 = forge.where %1, %zero, %p : (tensor<2x8xi1>, tensor<f32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}

// The NaN test may itself be the result; under no-nans it folds to false.
// CHECK-LABEL: func.func @is_nan(
//       EXACT: forge.not_equal
//        INFS: forge.not_equal
//        NANS: forge.constant dense<false> : tensor<8xi1>
//         ALL: forge.constant dense<false> : tensor<8xi1>
//       CHECK: return
func.func @is_nan(%x: tensor<8xf32>) -> tensor<8xi1> {
  %0 = forge.not_equal %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = forge.cast %0 dtype i1 : (tensor<8xf32>) -> tensor<8xi1>
  return %1 : tensor<8xi1>
}

// A part of nan_to_num: where x is infinite and positive, the largest finite value is selected. Removed under no-infs.
// CHECK-LABEL: func.func @infinite(
//       EXACT: forge.where
//        NANS: forge.where
//  RECIPROCAL: forge.where
//    INFS-NOT: forge.{{where|multiply}}
//     ALL-NOT: forge.{{where|multiply}}
//       CHECK: return
func.func @infinite(%x: tensor<8xf32>, %positive: tensor<8xi1>) -> tensor<8xf32> {
  %inf = forge.constant dense<0x7F800000> : tensor<f32>
  %most = forge.constant dense<3.0e38> : tensor<f32>
  %0 = forge.abs %x : tensor<8xf32>
  %1 = forge.equal %0, %inf : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = forge.cast %1 dtype i1 : (tensor<8xf32>) -> tensor<8xi1>
  %3 = forge.cast %2 dtype i32 : (tensor<8xi1>) -> tensor<8xi32>
  %4 = forge.cast %positive dtype i32 : (tensor<8xi1>) -> tensor<8xi32>
  %5 = forge.multiply %4, %3 : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %6 = forge.cast %5 dtype i1 : (tensor<8xi32>) -> tensor<8xi1>
  %7 = forge.where %6, %most, %x : (tensor<8xi1>, tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  return %7 : tensor<8xf32>
}

// A constant infinity is infinite, whatever --fast-math assumes of computed values: the comparison does not become
// false.
// CHECK-LABEL: func.func @infinity(
//       CHECK: forge.equal
func.func @infinity() -> tensor<8xf32> {
  %inf = forge.constant dense<0x7F800000> : tensor<8xf32>
  %other = forge.constant dense<0x7F800000> : tensor<f32>
  %0 = forge.equal %inf, %other : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @thirds(
//       EXACT: forge.divide
//        NANS: forge.divide
//        INFS: forge.divide
//  RECIPROCAL: forge.constant dense<0.333333343> : tensor<f32>
//  RECIPROCAL-NEXT: forge.multiply
//     ALL-NOT: forge.divide
//       CHECK: return
func.func @thirds(%x: tensor<8xf32>) -> tensor<8xf32> {
  %three = forge.constant dense<3.0> : tensor<f32>
  %0 = forge.divide %x, %three : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The reciprocal of a weight is computed with the weights.
// CHECK-LABEL: func.func @weights(
//       EXACT: forge.divide %arg0
//  RECIPROCAL: %[[W:.+]] = forge.parameter
//  RECIPROCAL: %[[I:.+]] = forge.divide %{{[^ ]+}}, %[[W]]
//  RECIPROCAL: forge.multiply %arg0, %[[I]]
//       CHECK: return
func.func @weights(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = forge.parameter "w" : tensor<8xf32>
  %0 = forge.divide %x, %w : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Division by a power of two is exact and needs no --fast-math; the reciprocal of 1e-40 is not a finite float32.
// CHECK-LABEL: func.func @exact_or_never(
//       CHECK: forge.constant dense<1.250000e-01> : tensor<f32>
//       CHECK: forge.multiply
//       CHECK: forge.divide
//       CHECK: return
func.func @exact_or_never(%x: tensor<8xf32>) -> tensor<8xf32> {
  %eight = forge.constant dense<8.0> : tensor<f32>
  %tiny = forge.constant dense<1.0e-40> : tensor<f32>
  %0 = forge.divide %x, %eight : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = forge.divide %0, %tiny : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Values cast from integers are never infinite, so that the guard is removed without --fast-math.
// CHECK-LABEL: func.func @proven(
//   CHECK-NOT: forge.where
//       CHECK: return
func.func @proven(%n: tensor<8xi32>) -> tensor<8xf32> {
  %inf = forge.constant dense<0x7F800000> : tensor<f32>
  %zero = forge.constant dense<0.0> : tensor<f32>
  %x = forge.cast %n dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
  %0 = forge.equal %x, %inf : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = forge.cast %0 dtype i1 : (tensor<8xf32>) -> tensor<8xi1>
  %2 = forge.where %1, %zero, %x : (tensor<8xi1>, tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// After the NaN guard is removed, the clipped and rounded values are still known to fit i8: the casts are removed, too.
// CHECK-LABEL: func.func @quantised(
//    NANS-NOT: forge.{{where|cast}}
//       EXACT: forge.where
//       CHECK: return
func.func @quantised(%x: tensor<8xf32>) -> tensor<8xf32> {
  %low = forge.constant dense<0xFF800000> : tensor<f32>
  %shift = forge.constant dense<12582912.0> : tensor<f32>
  %0 = forge.equal %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = forge.cast %0 dtype i1 : (tensor<8xf32>) -> tensor<8xi1>
  %2 = forge.where %1, %x, %low : (tensor<8xi1>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = forge.clip %2 min -128.0 max 127.0 : tensor<8xf32>
  %4 = forge.add %3, %shift : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = forge.subtract %4, %shift : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %6 = forge.cast %5 dtype i8 : (tensor<8xf32>) -> tensor<8xi8>
  %7 = forge.cast %6 dtype f32 : (tensor<8xi8>) -> tensor<8xf32>
  return %7 : tensor<8xf32>
}

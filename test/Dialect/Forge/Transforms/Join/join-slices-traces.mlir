// RUN: forge-opt %s --forge-join-projections --forge-join-slices --mlir-print-debuginfo | FileCheck %s

// The projections are transposed before they are split into heads. That is not the permutation of axes that heads of a
// merged projection have, so that no location records where the values of the projections are.
// CHECK-LABEL: func.func @heads(
//       CHECK: forge.matmul {{.+}} -> tensor<1x16x128xf32>
//       CHECK: forge.index
//   CHECK-NOT: array<i64: 0, 2, 1>
func.func @heads(%x: tensor<1x16x64xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>) {
  %q = forge.parameter "q" : tensor<64x64xf32>
  %k = forge.parameter "k" : tensor<64x64xf32>
  %0 = forge.matmul %x, %q : (tensor<1x16x64xf32>, tensor<64x64xf32>) -> tensor<1x16x64xf32> loc(#p)
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x16x64xf32>) -> tensor<1x64x16xf32> loc(#n)
  %2 = forge.reshape %1 shape [2, 32, 16] : (tensor<1x64x16xf32>) -> tensor<2x32x16xf32> loc(#n)
  %3 = forge.tanh %2 : tensor<2x32x16xf32> loc(#n)
  %4 = forge.matmul %x, %k : (tensor<1x16x64xf32>, tensor<64x64xf32>) -> tensor<1x16x64xf32> loc(#r)
  %5 = forge.transpose %4 dims -2, -1 : (tensor<1x16x64xf32>) -> tensor<1x64x16xf32> loc(#n)
  %6 = forge.reshape %5 shape [2, 32, 16] : (tensor<1x64x16xf32>) -> tensor<2x32x16xf32> loc(#n)
  %7 = forge.sigmoid %6 : tensor<2x32x16xf32> loc(#n)
  return %3, %7 : tensor<2x32x16xf32>, tensor<2x32x16xf32>
}
#n = loc("n")
#p = loc(fused<[["p"]]>["p"])
#r = loc(fused<[["r"]]>["r"])

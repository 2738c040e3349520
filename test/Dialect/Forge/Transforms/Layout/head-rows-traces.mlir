// RUN: forge-opt %s --forge-head-rows --mlir-print-debuginfo | FileCheck %s

// The rows of all heads replace the transposed keys, and hold their ONNX value. They also hold that of the keys, but a
// location records one order of axes, here that of the transposed keys.

// CHECK-LABEL: func.func @keys(
//       CHECK: forge.reshape %{{.+}} shape [64, 3, 32, 49] {{.+}} loc([[ROWS:#.+]])
//       CHECK: [[ROWS]] = loc(fused<{{.*}}"transposed"
func.func @keys(%x: tensor<64x49x96xf32>, %q: tensor<64x3x49x32xf32>) -> tensor<64x3x49x49xf32> {
  %p = forge.sigmoid %x : tensor<64x49x96xf32>
  %r = forge.reshape %p shape [64, 49, 3, 32] : (tensor<64x49x96xf32>) -> tensor<64x49x3x32xf32>
  %k = forge.transpose %r dims -3, -2 : (tensor<64x49x3x32xf32>) -> tensor<64x3x49x32xf32> loc(#k)
  %t = forge.transpose %k dims -2, -1 : (tensor<64x3x49x32xf32>) -> tensor<64x3x32x49xf32> loc(#t)
  %s = forge.matmul %q, %t : (tensor<64x3x49x32xf32>, tensor<64x3x32x49xf32>) -> tensor<64x3x49x49xf32>
  return %s : tensor<64x3x49x49xf32>
}
#k = loc(fused<[["keys"]]>["k"])
#t = loc(fused<[["transposed"]]>["t"])

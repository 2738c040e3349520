// RUN: forge-opt %s --forge-legalize-types --mlir-print-debuginfo | FileCheck %s

// An op whose no-op user is removed computes the ONNX value of that user, too: of a squeeze to rank 0, which becomes [1],
// and of a cast to int64, which becomes int32.

// CHECK-LABEL: func.func @scalar(
//       CHECK: forge.sigmoid %{{.+}} loc([[BOTH:#.+]])
// CHECK-LABEL: func.func @wide(
//       CHECK: forge.add %{{.+}} loc([[BOTH]])
//       CHECK: [[BOTH]] = loc(fused<{{\[\[}}"first", "second"]]>
func.func @scalar(%x: tensor<1xf32>) -> tensor<f32> {
  %0 = forge.sigmoid %x : tensor<1xf32> loc(#first)
  %1 = forge.squeeze %0 dim 0 : (tensor<1xf32>) -> tensor<f32> loc(#second)
  return %1 : tensor<f32>
}

func.func @wide(%x: tensor<4xi32>) -> tensor<4xi64> {
  %0 = forge.add %x, %x : tensor<4xi32> loc(#first)
  %1 = forge.cast %0 dtype i64 : (tensor<4xi32>) -> tensor<4xi64> loc(#second)
  return %1 : tensor<4xi64>
}
#first = loc(fused<[["first"]]>["a"])
#second = loc(fused<[["second"]]>["b"])

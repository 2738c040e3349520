// Heads that are cut out of all at once hold what their columns were, too.
// RUN: forge-opt %s --forge-join-slices -mlir-print-debuginfo -o %t
// RUN: forge-translate --forge-to-manifest %t | FileCheck %s
// RUN: forge-translate --forge-to-python %t | FileCheck %s --check-prefix=PYTHON

// PYTHON: one_reshape = forge.op.Reshape("", x, shape=(2, 5, 3, 3))
// PYTHON-NEXT: one = forge.op.Index("", one_reshape, dim=-2, start=0, stop=1, stride=1)
// PYTHON-NEXT: two = forge.op.Index("", one_reshape, dim=-2, start=1, stop=3, stride=1)

// CHECK: "trace": [
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "one",
// CHECK-NEXT: "variable": "one"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "first columns",
// CHECK-NEXT: "shape": [
// CHECK-NEXT: 2,
// CHECK-NEXT: 5,
// CHECK-NEXT: 3
// CHECK-NEXT: ],
// CHECK-NEXT: "variable": "one"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "two",
// CHECK-NEXT: "variable": "two"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "second columns",
// CHECK-NEXT: "shape": [
// CHECK-NEXT: 2,
// CHECK-NEXT: 5,
// CHECK-NEXT: 6
// CHECK-NEXT: ],
// CHECK-NEXT: "variable": "two"
// CHECK-NEXT: }
// CHECK-NEXT: ]
func.func @main(%x: tensor<2x5x9xf32> loc("x")) -> (tensor<2x5x1x3xf32>, tensor<2x5x2x3xf32>) {
  %a = forge.index %x dim -1 [0:3] : (tensor<2x5x9xf32>) -> tensor<2x5x3xf32> loc(fused<[["first columns"]]>["split"])
  %b = forge.reshape %a shape [2, 5, 1, 3] : (tensor<2x5x3xf32>) -> tensor<2x5x1x3xf32> loc(fused<[["one"]]>["one"])
  %c = forge.index %x dim -1 [3:9] : (tensor<2x5x9xf32>) -> tensor<2x5x6xf32> loc(fused<[["second columns"]]>["split"])
  %d = forge.reshape %c shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32> loc(fused<[["two"]]>["two"])
  return %b, %d : tensor<2x5x1x3xf32>, tensor<2x5x2x3xf32>
}

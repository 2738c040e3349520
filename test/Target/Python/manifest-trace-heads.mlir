// If several slices become heads at once, the trace still says where the values of their columns are.
// RUN: forge-opt %s --forge-join-projections --forge-join-slices -mlir-print-debuginfo -o %t
// RUN: forge-translate --forge-to-manifest %t | %python %S/Inputs/facts.py | FileCheck %s --implicit-check-not=trace:
// RUN: forge-translate --forge-to-python %t | FileCheck %s --check-prefix=PYTHON

// PYTHON:     one_reshape = forge.op.Reshape("", x, shape=(2, 5, 3, 3))
// PYTHON-DAG: one = forge.op.Index("", one_reshape, dim=-2, start=0, stop=1, stride=1)
// PYTHON-DAG: two = forge.op.Index("", one_reshape, dim=-2, start=1, stop=3, stride=1)

// CHECK-DAG: trace: {"onnx_name": "one", "variable": "one"}
// CHECK-DAG: trace: {"onnx_name": "first columns", "shape": [2, 5, 3], "variable": "one"}
// CHECK-DAG: trace: {"onnx_name": "two", "variable": "two"}
// CHECK-DAG: trace: {"onnx_name": "second columns", "shape": [2, 5, 6], "variable": "two"}
func.func @main(%x: tensor<2x5x9xf32> loc("x")) -> (tensor<2x5x1x3xf32>, tensor<2x5x2x3xf32>) {
  %a = forge.index %x dim -1 [0:3] : (tensor<2x5x9xf32>) -> tensor<2x5x3xf32> loc(fused<[["first columns"]]>["split"])
  %b = forge.reshape %a shape [2, 5, 1, 3] : (tensor<2x5x3xf32>) -> tensor<2x5x1x3xf32> loc(fused<[["one"]]>["one"])
  %c = forge.index %x dim -1 [3:9] : (tensor<2x5x9xf32>) -> tensor<2x5x6xf32> loc(fused<[["second columns"]]>["split"])
  %d = forge.reshape %c shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32> loc(fused<[["two"]]>["two"])
  return %b, %d : tensor<2x5x1x3xf32>, tensor<2x5x2x3xf32>
}

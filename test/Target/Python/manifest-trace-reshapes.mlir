// RUN: forge-opt %s --onnx-to-forge-pipeline -mlir-print-debuginfo -o %t
// RUN: forge-translate --forge-to-manifest --forge-module-name=net %t | FileCheck %s
// RUN: forge-translate --forge-to-python --forge-module-name=net %t | FileCheck %s --check-prefix=PYTHON

// If reshapes are merged, the trace maps the removed values to the remaining variable, with their original shapes.

// CHECK: "trace": [
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "positive",
// CHECK-NEXT: "variable": "positive"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "cube",
// CHECK-NEXT: "shape": [
// CHECK-NEXT: 4,
// CHECK-NEXT: 3,
// CHECK-NEXT: 2
// CHECK-NEXT: ],
// CHECK-NEXT: "variable": "positive"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "rows",
// CHECK-NEXT: "variable": "rows"
// CHECK-NEXT: }
// CHECK-NEXT: ]

// PYTHON: positive = forge.op.Relu("", x)
// PYTHON-NEXT: rows = forge.op.Reshape("", positive, shape=(2, 12))
func.func @main(%x: !torch.vtensor<[6,4],f32> {forge.onnx_name = "x"}) -> (!torch.vtensor<[2,12],f32> {forge.onnx_name = "rows"})
    attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %cube = torch.operator "onnx.Constant"() {torch.onnx.value_ints = [4 : si64, 3 : si64, 2 : si64]} : () -> !torch.vtensor<[3],si64>
  %rows = torch.operator "onnx.Constant"() {torch.onnx.value_ints = [2 : si64, 12 : si64]} : () -> !torch.vtensor<[2],si64>
  %0 = torch.operator "onnx.Relu"(%x) {torch.onnx_meta.results = ["positive"]} : (!torch.vtensor<[6,4],f32>) -> !torch.vtensor<[6,4],f32> loc("positive")
  %1 = torch.operator "onnx.Reshape"(%0, %cube) {torch.onnx_meta.results = ["cube"]} : (!torch.vtensor<[6,4],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[4,3,2],f32> loc("cube")
  %2 = torch.operator "onnx.Reshape"(%1, %rows) {torch.onnx_meta.results = ["rows"]} : (!torch.vtensor<[4,3,2],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,12],f32> loc("rows")
  return %2 : !torch.vtensor<[2,12],f32>
}

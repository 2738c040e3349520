// RUN: forge-opt %s --onnx-to-forge-pipeline -mlir-print-debuginfo -o %t
// RUN: forge-translate --forge-to-manifest --forge-module-name=net %t | FileCheck %s
// RUN: forge-translate --forge-to-python --forge-module-name=net %t | FileCheck %s --check-prefix=PYTHON

// The trace maps each ONNX value to the last op that its node became; a value that was fused away has no entry.

// CHECK: "trace": [
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "left",
// CHECK-NEXT: "variable": "halves_0"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "right",
// CHECK-NEXT: "variable": "halves_1"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "sum/0",
// CHECK-NEXT: "variable": "sum_op"
// CHECK-NEXT: },
// CHECK-NEXT: {
// CHECK-NEXT: "onnx_name": "same",
// CHECK-NEXT: "variable": "sum_op"
// CHECK-NEXT: }
// CHECK-NEXT: ]

// PYTHON: halves_0 = forge.op.Index("", x, dim=-1, start=0, stop=2, stride=1).set_src_layer("halves")
// PYTHON: halves_1 = forge.op.Index("", x, dim=-1, start=2, stop=4, stride=1).set_src_layer("halves")
// PYTHON: sum_op = forge.op.Add("", halves_0, halves_1).set_src_layer("sum")
func.func @main(%x: !torch.vtensor<[3,4],f32> {forge.onnx_name = "x"}) -> (!torch.vtensor<[3,2],f32> {forge.onnx_name = "same"})
    attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %0:2 = torch.operator "onnx.Split"(%x) {torch.onnx.axis = 1 : si64, torch.onnx.num_outputs = 2 : si64, torch.onnx_meta.results = ["left", "right"]} : (!torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[3,2],f32>, !torch.vtensor<[3,2],f32>) loc("halves")
  %1 = torch.operator "onnx.Add"(%0#0, %0#1) {torch.onnx_meta.results = ["sum/0"]} : (!torch.vtensor<[3,2],f32>, !torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,2],f32> loc("sum")
  %2 = torch.operator "onnx.Identity"(%1) {torch.onnx_meta.results = ["same"]} : (!torch.vtensor<[3,2],f32>) -> !torch.vtensor<[3,2],f32> loc("identity")
  return %2 : !torch.vtensor<[3,2],f32>
}

// The pipeline checks integers: unproven arithmetic gives a remark, or an error if a proof is required.
// RUN: forge-opt %s --onnx-to-forge-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: not forge-opt %s --onnx-to-forge-pipeline="integers=proven" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PROVEN
// RUN: forge-opt %s --convert-onnx-to-forge | forge-opt --forge-check-integers="annotate" 2>/dev/null | FileCheck %s

// CHECKED: remark: {{.*}}[FM1306] node 'sum'
// PROVEN: error: {{.*}}[FM1306] node 'sum'
// CHECK: forge.add {{.*}}forge.interval = array<f64: 
func.func @main(%x: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.Add"(%x, %x) : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64> loc("sum")
  return %0 : !torch.vtensor<[2],si64>
}

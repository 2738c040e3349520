// Remarks about refused nodes have the error code, the node and the reason. A node that a trial conversion refuses is a
// missed remark.
// RUN: not forge-opt %s --convert-onnx-to-forge --remarks-filter='convert-.*' -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: {{.*}}[Failure] FM1001 | Category:convert-onnx-to-forge | Function=main | Node=boxes, Reason="NonMaxSuppression: there is no converter for this op"
// CHECK: error: {{.*}}[FM1001] node 'boxes'
// CHECK: remark: {{.*}}[Failure] FM1002 | Category:convert-onnx-to-forge | Function=main | Node=old, Reason="Gelu: the oldest converter is for opset 20"
// CHECK: error: {{.*}}[FM1002] node 'old'

// RUN: not forge-opt %s --convert-onnx-to-forge --remarks-filter-passed='.*' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PASSED --implicit-check-not=remark
// PASSED: error: {{.*}}[FM1001]

// RUN: forge-opt %s --forge-assign-devices --remarks-filter-missed='.*' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TRIAL
// TRIAL: remark: {{.*}}[Missed] cpu-nodes | Category:forge-assign-devices | Function=main | Node=boxes, Reason="there is no converter for this op"
// TRIAL: remark: {{.*}}[Missed] cpu-nodes | Category:forge-assign-devices | Function=main | Node=old, Reason="the oldest converter is for opset 20"

// The same as YAML, for other programs.
// RUN: forge-opt %s --forge-assign-devices --remarks-filter='.*' --remark-format=yaml --remarks-output-file=%t.yaml \
// RUN:   -o /dev/null
// RUN: FileCheck %s --check-prefix=YAML < %t.yaml
// YAML-DAG: - Node:            boxes
// YAML-DAG: - Node:            old
// YAML-NOT: - Node:
// RUN: FileCheck %s --check-prefix=FIELDS < %t.yaml
// FIELDS:      --- !Missed
// FIELDS-NEXT: Pass:            forge-assign-devices
// FIELDS-NEXT: Name:            cpu-nodes
// FIELDS:      Function:        main
// FIELDS-NEXT: Args:
// FIELDS-NEXT:   - Node:
// FIELDS-NEXT:   - Reason:

func.func @main(%b: !torch.vtensor<[1,4,4],f32>, %s: !torch.vtensor<[1,1,4],f32>)
    -> (!torch.vtensor<[?,3],si64>, !torch.vtensor<[1,1,4],f32>)
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.NonMaxSuppression"(%b, %s)
    : (!torch.vtensor<[1,4,4],f32>, !torch.vtensor<[1,1,4],f32>) -> !torch.vtensor<[?,3],si64> loc("boxes")
  %1 = torch.operator "onnx.Gelu"(%s) : (!torch.vtensor<[1,1,4],f32>) -> !torch.vtensor<[1,1,4],f32> loc("old")
  return %0, %1 : !torch.vtensor<[?,3],si64>, !torch.vtensor<[1,1,4],f32>
}

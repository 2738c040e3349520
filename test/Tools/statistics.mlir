// The statistics of each pass, in the order of the passes. Passes without a count, here the one that merges recurrent
// layers, are not listed.
// RUN: forge-opt %s --onnx-to-forge-pipeline --mlir-pass-statistics -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --match-full-lines --implicit-check-not=forge-join-recurrent
// CHECK:      {{ *}}... Pass statistics report ...
// CHECK:      forge-normalize-import
// CHECK-DAG:    (S)      1 functions-normalised
// CHECK-DAG:    (S)      8 nodes-named
// CHECK:      convert-onnx-to-forge
// CHECK-DAG:    (S)      5 nodes-converted
// CHECK-DAG:    (S)      3 nodes-folded
// CHECK-DAG:    (S)      0 nodes-refused
// CHECK:      forge-fuse-patterns
// CHECK:        (S)      1 clips-fused
// CHECK:      forge-lower-split
// CHECK-DAG:    (S)      2 slices-made
// CHECK-DAG:    (S)      1 splits-lowered
// CHECK:      forge-legalize-types
// CHECK:        (S)      2 types-changed
// CHECK:      forge-isolate-outputs
// CHECK:        (S)      1 outputs-isolated

// RUN: forge-opt %s --onnx-to-forge-pipeline --mlir-pass-statistics --mlir-pass-statistics-display=list -o /dev/null \
// RUN:   2>&1 | FileCheck %s --check-prefix=LIST --match-full-lines
// LIST:      convert-onnx-to-forge
// LIST:      forge-fuse-patterns
// LIST:        (S)      1 clips-fused
// LIST:      forge-isolate-outputs
// LIST:      forge-legalize-types
// LIST:      forge-lower-split

// Without the option there is no report, and the output is the same.
// RUN: forge-opt %s --onnx-to-forge-pipeline --mlir-pass-statistics -o %t.counted 2> /dev/null
// RUN: forge-opt %s --onnx-to-forge-pipeline -o %t.plain 2>&1 | count 0
// RUN: diff %t.counted %t.plain

// A run that fails reports the counts up to the failure.
// RUN: not forge-opt %s --forge-normalize-import --convert-onnx-to-forge --forge-lower-split --forge-verify-emittable \
// RUN:   --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAILED
// FAILED: error: [FM
// FAILED: (S) 5 nodes-converted
// FAILED: (S) 1 splits-lowered

// The numbers of nodes and functions on each device.
// RUN: forge-opt %s --forge-normalize-import --forge-assign-devices=cpu-ops=Relu --forge-partition \
// RUN:   --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=PARTITION
// PARTITION:      forge-assign-devices
// PARTITION-DAG:  (S) 1 cpu-nodes
// PARTITION-DAG:  (S) 7 device-nodes
// PARTITION:      forge-partition
// PARTITION-DAG:  (S) 1 cpu-partitions
// PARTITION-DAG:  (S) 1 device-partitions

func.func @main(%x: !torch.vtensor<[1,2,12],f32>, %n: !torch.vtensor<[3],si64> {forge.range = array<i64: -9, 9>})
    -> (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,7],f32>, !torch.vtensor<[1,2,12],f32>, !torch.vtensor<[3],si64>)
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %sizes = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[5, 7]> : tensor<2xsi64>}
    : () -> !torch.vtensor<[2],si64>
  %low = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %high = torch.operator "onnx.Constant"() {torch.onnx.value = dense<6.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %0:2 = torch.operator "onnx.Split"(%x, %sizes) {torch.onnx.axis = -1 : si64}
    : (!torch.vtensor<[1,2,12],f32>, !torch.vtensor<[2],si64>)
    -> (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,7],f32>)
  %1 = torch.operator "onnx.Relu"(%0#0) : (!torch.vtensor<[1,2,5],f32>) -> !torch.vtensor<[1,2,5],f32>
  %2 = torch.operator "onnx.Min"(%0#1, %high)
    : (!torch.vtensor<[1,2,7],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[1,2,7],f32>
  %3 = torch.operator "onnx.Max"(%2, %low)
    : (!torch.vtensor<[1,2,7],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[1,2,7],f32>
  %4 = torch.operator "onnx.Abs"(%n) : (!torch.vtensor<[3],si64>) -> !torch.vtensor<[3],si64>
  return %1, %3, %x, %4
    : !torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,7],f32>, !torch.vtensor<[1,2,12],f32>, !torch.vtensor<[3],si64>
}

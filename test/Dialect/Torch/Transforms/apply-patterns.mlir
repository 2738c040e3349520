// RUN: forge-opt %s --forge-apply-patterns=files=%S/Inputs/patterns.mlir | FileCheck %s
// The nodes that patterns create are lowered like the nodes of a model.
// RUN: forge-opt %s --pass-pipeline='builtin.module(forge-apply-patterns{files=%S/Inputs/patterns.mlir},onnx-to-forge-pipeline)' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// The number of applied patterns is a statistic of the pass.
// RUN: forge-opt %s --forge-apply-patterns=files=%S/Inputs/patterns.mlir --mlir-pass-statistics -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATISTICS
// A file whose name has characters that a pass option cannot contain.
// RUN: rm -rf %t && mkdir %t && cp %S/Inputs/patterns.mlir "%t/a,b {1}.mlir"
// RUN: forge-opt %s --forge-apply-patterns=files=%t/a%%2Cb%%20%%7B1%%7D.mlir | FileCheck %s
// Patterns without a match change nothing.
// RUN: forge-opt %s --forge-apply-patterns | FileCheck %s --check-prefix=NONE
// NONE: torch.operator "onnx.Swish"

// STATISTICS: forge-apply-patterns
// STATISTICS-NEXT: {{.*}} 3 nodes-rewritten

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.+]]: !torch.vtensor<[2,6],f32>
// CHECK-NOT: onnx.Swish
// CHECK: %[[S:.+]] = torch.operator "onnx.Sigmoid"(%[[X]]) {forge.device, torch.onnx_meta.domain = ""} : {{.*}} loc(#[[NODE:.+]])
// CHECK: %[[M:.+]] = torch.operator "onnx.Mul"(%[[X]], %[[S]]) {forge.device, torch.onnx_meta.domain = ""} : {{.*}} loc(#[[NODE]])
// CHECK: %[[H:.+]]:2 = torch.operator "onnx.Split"(%[[M]]) {forge.device, torch.onnx.axis = -1 : si64, torch.onnx.num_outputs = 2 : si64, torch.onnx_meta.domain = ""}
// CHECK: return %[[H]]#1, %[[H]]#0

// LOWERED: forge.sigmoid
// LOWERED: forge.multiply
// LOWERED: forge.index {{.*}} dim {{.*}} [0:3]
// LOWERED: forge.index {{.*}} dim {{.*}} [3:6]
func.func @main(%x: !torch.vtensor<[2,6],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>)
    attributes {torch.onnx_meta.opset_version = 18 : si64, torch.onnx_meta.opset_versions = {my.domain = 1 : si64}} {
  %0 = torch.operator "onnx.Swish"(%x) {torch.onnx_meta.domain = "my.domain", torch.onnx.beta = 1.0 : f32}
      : (!torch.vtensor<[2,6],f32>) -> !torch.vtensor<[2,6],f32> loc("activation")
  %1:2 = torch.operator "onnx.SwappedHalves"(%0) {torch.onnx_meta.domain = "my.domain"}
      : (!torch.vtensor<[2,6],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) loc("halves")
  return %1#0, %1#1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
}

// A node on the CPU reads a result by its name, which the new node gets.
// CHECK-LABEL: func.func @named
// CHECK: "onnx.Split"({{.*}}) {{{.*}}torch.onnx_meta.results = ["second", "first"]}
func.func @named(%x: !torch.vtensor<[2,6],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>)
    attributes {torch.onnx_meta.opset_version = 18 : si64, torch.onnx_meta.opset_versions = {my.domain = 1 : si64}} {
  %1:2 = torch.operator "onnx.SwappedHalves"(%x)
      {torch.onnx_meta.domain = "my.domain", torch.onnx_meta.results = ["first", "second"]}
      : (!torch.vtensor<[2,6],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>)
  return %1#0, %1#1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
}

// CHECK: #[[NODE]] = loc("activation")

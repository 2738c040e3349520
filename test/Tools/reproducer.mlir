// A pipeline that fails writes its input and its passes to a file; --run-reproducer then fails in the same way.
// RUN: not forge-opt %s --onnx-to-forge-pipeline=allow-rounding --mlir-pass-pipeline-crash-reproducer=%t.mlir \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefixes=ERROR,WRITTEN
// RUN: FileCheck %s --check-prefix=FILE < %t.mlir
// RUN: not forge-opt %t.mlir --run-reproducer -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR:   error: {{.*}}[FM1001] node 'boxes' (NonMaxSuppression, opset 17): there is no converter for this op
// WRITTEN: error: Failures have been detected while processing an MLIR pass pipeline
// WRITTEN: note: Pipeline failed while executing
// FILE:     onnx.NonMaxSuppression
// FILE:     loc("boxes")
// FILE:     mlir_reproducer: {
// FILE:       pipeline: "builtin.module({{.*}}convert-onnx-to-forge{allow-rounding=true{{.*}}forge-verify-emittable
// FILE-SAME:  ",
// FILE:       verify_each: true

// The smallest reproducer: only the pass that failed, with its input.
// RUN: not forge-opt %s --forge-normalize-import --forge-lower-split --forge-verify-emittable --mlir-disable-threading \
// RUN:   --mlir-pass-pipeline-crash-reproducer=%t.local.mlir --mlir-pass-pipeline-local-reproducer -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOCAL
// RUN: FileCheck %s --check-prefix=LOCAL-FILE < %t.local.mlir
// RUN: not forge-opt %t.local.mlir --run-reproducer -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOCAL
// LOCAL:      error: {{.*}}'torch.operator' of node 'boxes' has no Forge call; run --convert-onnx-to-forge first
// LOCAL-FILE: pipeline: "builtin.module(forge-verify-emittable)"

// Pipelines with all their options are replayed.
// RUN: not forge-opt %s --onnx-to-forge-pipeline='layout=tiles fill-tile-padding=none' -o /dev/null \
// RUN:   --mlir-pass-pipeline-crash-reproducer=%t.tiles.mlir 2>&1 | FileCheck %s --check-prefixes=ERROR
// RUN: not forge-opt %t.tiles.mlir --run-reproducer -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR

// On request, a reproducer is written without a failure, and replaying it gives the same output.
// RUN: forge-opt %s --forge-normalize-import --forge-assign-devices --mlir-generate-reproducer=%t.asked.mlir -o %t.out.mlir
// RUN: forge-opt %t.asked.mlir --run-reproducer -o %t.again.mlir
// RUN: FileCheck %s --check-prefix=ASKED < %t.again.mlir
// ASKED: forge.cpu = "there is no converter for this op"

func.func @main(%b: !torch.vtensor<[1,4,4],f32>, %s: !torch.vtensor<[1,1,4],f32>) -> !torch.vtensor<[?,3],si64>
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.NonMaxSuppression"(%b, %s)
    : (!torch.vtensor<[1,4,4],f32>, !torch.vtensor<[1,1,4],f32>) -> !torch.vtensor<[?,3],si64> loc("boxes")
  return %0 : !torch.vtensor<[?,3],si64>
}

// Options of passes that no other file tests: what is folded, what may round, and what the pipeline passes on.
// RUN: forge-opt %s --convert-onnx-to-forge=allow-rounding | FileCheck %s --check-prefix=FOLDED
// RUN: forge-opt %s --convert-onnx-to-forge="fold-limit=8 allow-rounding" | FileCheck %s --check-prefix=UNFOLDED
// FOLDED-LABEL: func.func @main(
// FOLDED-NOT:   forge.add
// FOLDED-LABEL: func.func @inverse(
// UNFOLDED:     forge.add

// RUN: forge-opt %s --forge-assign-devices | FileCheck %s --check-prefix=ASSIGNED
// RUN: forge-opt %s --forge-assign-devices=fold-limit=8 | FileCheck %s --check-prefix=KEPT
// No converter of the compiler refuses a node because of its rounding; lowerings of users may (test/python/lowerings).
// RUN: forge-opt %s --forge-assign-devices=allow-rounding | FileCheck %s --check-prefix=ASSIGNED
// ASSIGNED-NOT: onnx.Add
// KEPT:         onnx.Add

// RUN: not forge-opt %s --forge-divisibility-rewrite=format=f99 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: {{.*}}f99

// RUN: forge-opt %s --convert-onnx-to-forge=allow-rounding --forge-fill-tile-padding=annotate \
// RUN:   | FileCheck %s --check-prefix=ANNOTATED
// ANNOTATED: forge.padding

// RUN: forge-opt %s -o /dev/null --dump-pass-pipeline 2>&1 \
// RUN:   --onnx-to-forge-pipeline='layout=tiles fold-limit=8 max-weight-growth=1.5 fill-tile-padding=none allow-rounding' \
// RUN:   | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: convert-onnx-to-forge{allow-rounding=true fold-limit=8}
// PIPELINE: forge-divisibility-rewrite{{.*}} max-weight-growth=1.5
// PIPELINE: forge-fill-tile-padding{{.*}} target=none}

// RUN: forge-opt %s -o /dev/null --dump-pass-pipeline 2>&1 \
// RUN:   --onnx-to-forge-pipeline='allow-rounding float-format=bfloat16 keep-float32=relu float-format-outputs=native' \
// RUN:   | FileCheck %s --check-prefix=FORMATS
// FORMATS: forge-float-format{float-format=bfloat16 keep-float32={{[{]?}}relu{{[}]?}} native-outputs=true}

func.func @main(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %a = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}
    : () -> !torch.vtensor<[4],f32>
  %0 = torch.operator "onnx.Add"(%a, %a) : (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

func.func @inverse(%x: !torch.vtensor<[1,10,2],f32>) -> !torch.vtensor<[1,10,2],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %0 = torch.operator "onnx.DFT"(%x) {torch.onnx.axis = 1 : si64, torch.onnx.inverse = 1 : si64}
    : (!torch.vtensor<[1,10,2],f32>) -> !torch.vtensor<[1,10,2],f32>
  return %0 : !torch.vtensor<[1,10,2],f32>
}

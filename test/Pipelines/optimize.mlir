// The rewrites that are applied with --optimize none, exact and by default.

// RUN: forge-opt %s --onnx-to-forge-pipeline="optimize=none" | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: forge-opt %s --onnx-to-forge-pipeline="optimize=exact" | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: forge-opt %s --onnx-to-forge-pipeline="optimize=default" | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: forge-opt %s --onnx-to-forge-pipeline | FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: forge-opt %s --onnx-to-forge-pipeline="optimize=none" --forge-rewrite-limit=-1 -o /dev/null 2>&1 | count 0

// The pass without the pipeline.
// RUN: forge-opt %s --pass-pipeline="builtin.module(onnx-to-forge-pipeline{optimize=none},func.func(forge-fold-weights{exact=true}))" \
// RUN:   | FileCheck %s --check-prefix=ALONE
// RUN: forge-opt %s --pass-pipeline="builtin.module(onnx-to-forge-pipeline{optimize=none},func.func(forge-fold-weights))" \
// RUN:   | FileCheck %s --check-prefix=FOLDED

// ALONE:      forge.matmul
// ALONE-NEXT: forge.multiply %{{.+}}, %{{.+}} : (tensor<2x4xf32>, tensor<4xf32>)
// FOLDED:     forge.multiply %{{.+}}, %{{.+}} : (tensor<4x4xf32>, tensor<4xf32>)

// CHECK-LABEL:   func.func @main
// NONE:            forge.relu
// NONE:            forge.relu
// NONE:            forge.matmul
// NONE:            forge.multiply %{{.+}}, %{{.+}} : (tensor<2x4xf32>, tensor<4xf32>)
// EXACT:           forge.relu
// EXACT-NOT:       forge.relu
// EXACT:           forge.matmul
// EXACT:           forge.multiply %{{.+}}, %{{.+}} : (tensor<2x4xf32>, tensor<4xf32>)
// DEFAULT:         forge.relu
// DEFAULT-NOT:     forge.relu
// DEFAULT:         forge.multiply %{{.+}}, %{{.+}} : (tensor<4x4xf32>, tensor<4xf32>)
// DEFAULT:         forge.matmul
func.func @main(%x: !torch.vtensor<[2,4],f32>)
    -> (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2,4],f32>)
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %w = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<4x4xf32>} : () -> !torch.vtensor<[4,4],f32>
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0.5, 0.3, 0.7, 0.9]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %0 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  %1 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  %2 = torch.operator "onnx.MatMul"(%0, %w) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4,4],f32>) -> !torch.vtensor<[2,4],f32>
  %3 = torch.operator "onnx.Mul"(%2, %s) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32>
  return %3, %1 : !torch.vtensor<[2,4],f32>, !torch.vtensor<[2,4],f32>
}

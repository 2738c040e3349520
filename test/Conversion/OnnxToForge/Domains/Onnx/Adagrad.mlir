// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @adagrad(
// CHECK: %[[R:.+]] = forge.sqrt
// CHECK: %[[E:.+]] = forge.constant dense<9.99999997E-7> : tensor<f32>
// CHECK: %[[S:.+]] = forge.add %[[R]], %[[E]]
// CHECK: forge.divide %{{.+}}, %[[S]]
func.func @adagrad(%a0: !torch.vtensor<[],f32>, %a1: !torch.vtensor<[],si64>, %a2: !torch.vtensor<[2],f32>, %a3: !torch.vtensor<[2],f32>, %a4: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  %0:2 = torch.operator "onnx.Adagrad"(%a0, %a1, %a2, %a3, %a4) {torch.onnx_meta.domain = "ai.onnx.preview.training"} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// -----

func.func @lists(%a0: !torch.vtensor<[],f32>, %a1: !torch.vtensor<[],si64>, %a2: !torch.vtensor<[2],f32>, %a3: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  // expected-error @below {{expected a rate, a count, and lists of as many tensors each}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.Adagrad"(%a0, %a1, %a2, %a3) {torch.onnx_meta.domain = "ai.onnx.preview.training"} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

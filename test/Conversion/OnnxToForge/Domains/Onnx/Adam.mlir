// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @adam(
// CHECK: forge.exp
// CHECK: forge.where
// CHECK: %[[E:.+]] = forge.constant dense<9.99999997E-7> : tensor<f32>
// CHECK: forge.add %{{.+}}, %[[E]]
func.func @adam(%a0: !torch.vtensor<[],f32>, %a1: !torch.vtensor<[],si64>, %a2: !torch.vtensor<[2],f32>, %a3: !torch.vtensor<[2],f32>, %a4: !torch.vtensor<[2],f32>, %a5: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  %0:3 = torch.operator "onnx.Adam"(%a0, %a1, %a2, %a3, %a4, %a5) {torch.onnx_meta.domain = "ai.onnx.preview.training"} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %0#0, %0#1, %0#2 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// -----

func.func @alpha(%a0: !torch.vtensor<[],f32>, %a1: !torch.vtensor<[],si64>, %a2: !torch.vtensor<[2],f32>, %a3: !torch.vtensor<[2],f32>, %a4: !torch.vtensor<[2],f32>, %a5: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  // expected-error @below {{attributes 'alpha' and 'beta' must be between 0 and 1}}
  // expected-note @below {{operands}}
  %0:3 = torch.operator "onnx.Adam"(%a0, %a1, %a2, %a3, %a4, %a5) {torch.onnx_meta.domain = "ai.onnx.preview.training", torch.onnx.alpha = 1.0 : f32} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %0#0, %0#1, %0#2 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

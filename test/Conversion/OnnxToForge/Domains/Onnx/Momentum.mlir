// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @nesterov(
// CHECK: forge.subtract
func.func @nesterov(%a0: !torch.vtensor<[],f32>, %a1: !torch.vtensor<[],si64>, %a2: !torch.vtensor<[2],f32>, %a3: !torch.vtensor<[2],f32>, %a4: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  %0:2 = torch.operator "onnx.Momentum"(%a0, %a1, %a2, %a3, %a4) {torch.onnx_meta.domain = "ai.onnx.preview.training", torch.onnx.alpha = 0.9 : f32, torch.onnx.beta = 1.0 : f32, torch.onnx.norm_coefficient = 0.0 : f32, torch.onnx.mode = "nesterov"} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// -----

func.func @mode(%a0: !torch.vtensor<[],f32>, %a1: !torch.vtensor<[],si64>, %a2: !torch.vtensor<[2],f32>, %a3: !torch.vtensor<[2],f32>, %a4: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  // expected-error @below {{attribute 'mode' must be standard or nesterov}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.Momentum"(%a0, %a1, %a2, %a3, %a4) {torch.onnx_meta.domain = "ai.onnx.preview.training", torch.onnx.alpha = 0.9 : f32, torch.onnx.beta = 1.0 : f32, torch.onnx.norm_coefficient = 0.0 : f32, torch.onnx.mode = "plain"} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @columns(
// CHECK: forge.wrap_index
// CHECK: forge.embedding
func.func @columns(%a0: !torch.vtensor<[3,4],f32>, %a1: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[3,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.ArrayFeatureExtractor"(%a0, %a1) {torch.onnx_meta.domain = "ai.onnx.ml"} : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2],f32>
  return %0 : !torch.vtensor<[3,2],f32>
}

// -----

func.func @scalar(%a0: !torch.vtensor<[],f32>, %a1: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[1,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{the operand must have rank 1 or more}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.ArrayFeatureExtractor"(%a0, %a1) {torch.onnx_meta.domain = "ai.onnx.ml"} : (!torch.vtensor<[],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,2],f32>
  return %0 : !torch.vtensor<[1,2],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @above(
// CHECK: forge.greater %arg0
func.func @above(%a0: !torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[3,4],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Binarizer"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.threshold = 0.5 : f32} : (!torch.vtensor<[3,4],f32>) -> !torch.vtensor<[3,4],f32>
  return %0 : !torch.vtensor<[3,4],f32>
}

// -----

func.func @integers(%a0: !torch.vtensor<[3,4],si64>) -> (!torch.vtensor<[3,4],si64>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{only floating-point operands are supported}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.Binarizer"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml"} : (!torch.vtensor<[3,4],si64>) -> !torch.vtensor<[3,4],si64>
  return %0 : !torch.vtensor<[3,4],si64>
}

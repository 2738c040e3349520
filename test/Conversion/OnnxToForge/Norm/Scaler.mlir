// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @features
// CHECK: forge.subtract %arg0
// CHECK: forge.multiply
func.func @features(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Scaler"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.offset = [1.0 : f32], torch.onnx.scale = [1.0 : f32, 2.0 : f32, 4.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
  return %0 : !torch.vtensor<[4,3],f32>
}

// -----

func.func @too_many(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected 1 or 3 numbers in attribute 'scale', but got 2}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.Scaler"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.offset = [1.0 : f32], torch.onnx.scale = [1.0 : f32, 2.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
  return %0 : !torch.vtensor<[4,3],f32>
}

// -----

// CHECK-LABEL: func.func @integers
// CHECK: forge.cast %arg0 dtype f32 : (tensor<4x3xi64>) -> tensor<4x3xf32>
func.func @integers(%x: !torch.vtensor<[4,3],si64>) -> !torch.vtensor<[4,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Scaler"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.offset = [1.0 : f32], torch.onnx.scale = [1.0 : f32]} : (!torch.vtensor<[4,3],si64>) -> !torch.vtensor<[4,3],f32>
  return %0 : !torch.vtensor<[4,3],f32>
}

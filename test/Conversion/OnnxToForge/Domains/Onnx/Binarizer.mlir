// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @above(
// CHECK: forge.greater %arg0
func.func @above(%a0: !torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[3,4],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Binarizer"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.threshold = 0.5 : f32} : (!torch.vtensor<[3,4],f32>) -> !torch.vtensor<[3,4],f32>
  return %0 : !torch.vtensor<[3,4],f32>
}

// -----

// -0.5 is between integers: those above -1 are above it.
// CHECK-LABEL: func.func @integers(
// CHECK: %[[FLOOR:.+]] = forge.constant dense<-1> : tensor<i64>
// CHECK: forge.greater %arg0, %[[FLOOR]]
func.func @integers(%a0: !torch.vtensor<[3,4],si64>) -> (!torch.vtensor<[3,4],si64>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Binarizer"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.threshold = -0.5 : f32} : (!torch.vtensor<[3,4],si64>) -> !torch.vtensor<[3,4],si64>
  return %0 : !torch.vtensor<[3,4],si64>
}

// -----

// CHECK-LABEL: func.func @beyond(
// CHECK: %[[ALL:.+]] = forge.constant dense<1> : tensor<2xi32>
// CHECK: %[[NONE:.+]] = forge.constant dense<0> : tensor<2xi32>
// CHECK: %[[NAN:.+]] = forge.constant dense<0> : tensor<2xi32>
// CHECK: return %[[ALL]], %[[NONE]], %[[NAN]]
func.func @beyond(%a0: !torch.vtensor<[2],si32>) -> (!torch.vtensor<[2],si32>, !torch.vtensor<[2],si32>, !torch.vtensor<[2],si32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Binarizer"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.threshold = -3.0e9 : f32} : (!torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32>
  %1 = torch.operator "onnx.Binarizer"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.threshold = 2147483648.0 : f32} : (!torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32>
  %2 = torch.operator "onnx.Binarizer"(%a0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.threshold = 0x7FC00000 : f32} : (!torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32>
  return %0, %1, %2 : !torch.vtensor<[2],si32>, !torch.vtensor<[2],si32>, !torch.vtensor<[2],si32>
}

// RUN: forge-opt %s -split-input-file --convert-onnx-to-forge | FileCheck %s

// torch-mlir's importer drops the domain of a node; it is derived from the ops that each imported domain has.
// CHECK-LABEL: func.func @onlyOneHasIt
func.func @onlyOneHasIt(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 5 : si64, com.microsoft = 1 : si64, com.microsoft.nchwc = 1 : si64}} {
  // CHECK: forge.relu
  %0 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  // CHECK: forge.sigmoid
  %1 = torch.operator "onnx.QuickGelu"(%0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  // Before opset 20, only com.microsoft has Gelu.
  // CHECK: forge.gelu
  %2 = torch.operator "onnx.Gelu"(%1) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %2 : !torch.vtensor<[2],f32>
}

// -----

// CHECK-LABEL: func.func @sameInBoth
func.func @sameInBoth(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    attributes {torch.onnx_meta.opset_version = 20 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // CHECK: forge.gelu
  %0 = torch.operator "onnx.Gelu"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

// The smaller domains of ONNX have no op names in common with the default domain.
// CHECK-LABEL: func.func @smallerDomain
func.func @smallerDomain(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    attributes {torch.onnx_meta.opset_version = 20 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64, com.microsoft = 1 : si64}} {
  // CHECK: forge.relu
  %0 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  // CHECK: forge.greater
  %1 = torch.operator "onnx.Binarizer"(%0) {torch.onnx.threshold = 0.5 : f32} : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %1 : !torch.vtensor<[2],f32>
}

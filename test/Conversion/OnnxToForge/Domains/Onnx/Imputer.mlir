// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @number
// CHECK: %[[C:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[IS:.+]] = forge.equal %arg0, %[[C]]
// CHECK: %[[V:.+]] = forge.constant dense<9.000000e+00> : tensor<1xf32>
// CHECK: forge.where %{{.+}}, %[[V]], %arg0
func.func @number(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Imputer"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.imputed_value_floats = [9.0 : f32], torch.onnx.replaced_value_float = 1.0 : f32} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}

// -----

// CHECK-LABEL: func.func @integers
// CHECK: %[[C:.+]] = forge.constant dense<-1> : tensor<i32>
// CHECK: forge.equal %arg0, %[[C]]
// CHECK: %[[V:.+]] = forge.constant dense<[7, 8, 9]> : tensor<3xi32>
// CHECK: forge.where %{{.+}}, %[[V]], %arg0
func.func @integers(%x: !torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],si32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Imputer"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.imputed_value_int64s = [7 : si64, 8 : si64, 9 : si64], torch.onnx.replaced_value_int64 = -1 : si64} : (!torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],si32>
  return %0 : !torch.vtensor<[2,3],si32>
}

// -----

// CHECK-LABEL: func.func @nan
// CHECK: forge.not_equal %arg0, %arg0
// CHECK: %[[V:.+]] = forge.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK: forge.where %{{.+}}, %[[V]], %arg0
func.func @nan(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.Imputer"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.imputed_value_floats = [1.0 : f32, 2.0 : f32, 3.0 : f32], torch.onnx.replaced_value_float = 0x7FC00000 : f32} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}

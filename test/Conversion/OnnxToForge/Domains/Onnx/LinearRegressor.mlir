// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @targets
// CHECK: forge.constant dense<{{\[}}[1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK: %[[P:.+]] = forge.matmul %arg0
// CHECK: %[[C:.+]] = forge.constant dense<[7.000000e+00, 8.000000e+00]> : tensor<2xf32>
// CHECK: forge.add %[[P]], %[[C]]
func.func @targets(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,2],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.LinearRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.intercepts = [7.0 : f32, 8.0 : f32], torch.onnx.targets = 2 : si64, torch.onnx.post_transform = "NONE"} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,2],f32>
  return %0 : !torch.vtensor<[4,2],f32>
}

// -----

// CHECK-LABEL: func.func @integers
// CHECK: %[[X:.+]] = forge.cast %arg0 dtype f32
// CHECK: %[[P:.+]] = forge.matmul %[[X]]
// CHECK-NEXT: return %[[P]]
func.func @integers(%x: !torch.vtensor<[4,3],si64>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.LinearRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32]} : (!torch.vtensor<[4,3],si64>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

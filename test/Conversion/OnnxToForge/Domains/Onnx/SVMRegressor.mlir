// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @features(
// CHECK: %[[W:.+]] = forge.constant dense<{{\[\[}}1.000000e+00], [2.000000e+00], [3.000000e+00]]> : tensor<3x1xf32>
// CHECK: forge.matmul %arg0, %[[W]]
func.func @features(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], torch.onnx.rho = [0.5 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

// The distances are sums of squared differences.
// CHECK-LABEL: func.func @rbf(
// CHECK: %[[D:.+]] = forge.subtract {{.+}} -> tensor<4x2x3xf32>
// CHECK: forge.multiply %[[D]], %[[D]]
// CHECK: forge.reduce_sum {{.+}} -> tensor<4x2xf32>
// CHECK: forge.exp
// CHECK: forge.matmul
func.func @rbf(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.n_supports = 2 : si64, torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32], torch.onnx.kernel_type = "RBF", torch.onnx.kernel_params = [0.5 : f32, 0.0 : f32, 0.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

// CHECK-LABEL: func.func @one_class(
// CHECK: forge.tanh
// CHECK: forge.greater
// CHECK: forge.where
func.func @one_class(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.n_supports = 2 : si64, torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32], torch.onnx.kernel_type = "SIGMOID", torch.onnx.kernel_params = [0.5 : f32, 0.0 : f32, 0.0 : f32], torch.onnx.one_class = 1 : si64} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

// CHECK-LABEL: func.func @cube(
// CHECK-COUNT-3: forge.multiply
func.func @cube(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.n_supports = 2 : si64, torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32], torch.onnx.kernel_type = "POLY", torch.onnx.kernel_params = [0.5 : f32, 1.0 : f32, 3.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

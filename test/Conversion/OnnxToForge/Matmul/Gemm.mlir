// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// C is optional since opset 11.
// CHECK-LABEL: func.func @without_c(
// CHECK: %[[V0:.+]] = forge.matmul %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x4xf32>
func.func @without_c(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @all(
// CHECK-DAG: %[[V0:.+]] = forge.transpose %arg0 dims -2, -1 : (tensor<3x2xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[V1:.+]] = forge.transpose %arg1 dims -2, -1 : (tensor<4x3xf32>) -> tensor<3x4xf32>
// CHECK-DAG: %[[V2:.+]] = forge.matmul %[[V0]], %[[V1]] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[V4:.+]] = forge.multiply %[[V2]], %[[V3]] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V5:.+]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK-DAG: %[[V6:.+]] = forge.multiply %arg2, %[[V5]] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.add %[[V4]], %[[V6]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK: return %[[V7]] : tensor<2x4xf32>
func.func @all(%arg0: !torch.vtensor<[3,2],f32>, %arg1: !torch.vtensor<[4,3],f32>, %arg2: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1, %arg2) {torch.onnx.alpha = 5.000000e-01 : f32, torch.onnx.beta = 2.000000e+00 : f32, torch.onnx.transA = 1 : si64, torch.onnx.transB = 1 : si64} : (!torch.vtensor<[3,2],f32>, !torch.vtensor<[4,3],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @same_shape(
// CHECK: %[[V0:.+]] = forge.matmul %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.add %[[V0]], %arg2 : tensor<2x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x4xf32>
func.func @same_shape(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1, %arg2) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @broadcast(
// CHECK: %[[V0:.+]] = forge.matmul %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.add %[[V0]], %arg2 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x4xf32>
func.func @broadcast(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1, %arg2) {torch.onnx.broadcast = 1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @batch(
// CHECK: %[[V0:.+]] = forge.matmul %arg0, %arg1 : (tensor<2x1x3x4xf32>, tensor<5x4x6xf32>) -> tensor<2x5x3x6xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x5x3x6xf32>
func.func @batch(%arg0: !torch.vtensor<[2,1,3,4],f32>, %arg1: !torch.vtensor<[5,4,6],f32>) -> !torch.vtensor<[2,5,3,6],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[2,1,3,4],f32>, !torch.vtensor<[5,4,6],f32>) -> !torch.vtensor<[2,5,3,6],f32>
  return %r1 : !torch.vtensor<[2,5,3,6],f32>
}

// CHECK-LABEL: func.func @vector_matrix(
// CHECK: %[[V0:.+]] = forge.matmul %arg0, %arg1 : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>
// CHECK-NEXT: return %[[V0]] : tensor<5xf32>
func.func @vector_matrix(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[5],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[5],f32>
  return %r1 : !torch.vtensor<[5],f32>
}

// CHECK-LABEL: func.func @matrix_vector(
// CHECK: %[[V0:.+]] = forge.matmul %arg0, %arg1 : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<3xf32>
func.func @matrix_vector(%arg0: !torch.vtensor<[3,4],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[3],f32>
  return %r1 : !torch.vtensor<[3],f32>
}

// Forge's product of two vectors would have rank 0, so that the operands become matrices.
// CHECK-LABEL: func.func @vectors(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 4] : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %arg1 shape [4, 1] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.matmul %[[V0]], %[[V1]] : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<1x1xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.reshape %[[V2]] shape [] : (tensor<1x1xf32>) -> tensor<f32>
// CHECK-NEXT: return %[[V3]] : tensor<f32>
func.func @vectors(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[],f32>
  return %r1 : !torch.vtensor<[],f32>
}

// A product of integer matrices becomes elementwise multiplications and a sum.
// CHECK-LABEL: func.func @integers(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [2, 3, 1] : (tensor<2x3xi64>) -> tensor<2x3x1xi64>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %arg1 shape [1, 3, 4] : (tensor<3x4xi64>) -> tensor<1x3x4xi64>
// CHECK-NEXT: %[[V2:.+]] = forge.multiply %[[V0]], %[[V1]] : (tensor<2x3x1xi64>, tensor<1x3x4xi64>) -> tensor<2x3x4xi64>
// CHECK-NEXT: %[[V3:.+]] = forge.reduce_sum %[[V2]] dim -2 : (tensor<2x3x4xi64>) -> tensor<2x4xi64>
// CHECK-NEXT: return %[[V3]] : tensor<2x4xi64>
func.func @integers(%arg0: !torch.vtensor<[2,3],si64>, %arg1: !torch.vtensor<[3,4],si64>) -> !torch.vtensor<[2,4],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[2,3],si64>, !torch.vtensor<[3,4],si64>) -> !torch.vtensor<[2,4],si64>
  return %r1 : !torch.vtensor<[2,4],si64>
}

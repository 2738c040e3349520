// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Without `perm` all axes are reversed.
// CHECK-LABEL: func.func @reversed(
// CHECK: %[[V0:.+]] = forge.transpose %arg0 dims -3, -1 : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x3x2xf32>
func.func @reversed(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[4,3,2],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Transpose"(%arg0) : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[4,3,2],f32>
  return %r1 : !torch.vtensor<[4,3,2],f32>
}

// A permutation becomes a sequence of exchanges of two axes.
// CHECK-LABEL: func.func @rotated(
// CHECK: %[[V0:.+]] = forge.transpose %arg0 dims -3, -2 : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.transpose %[[V0]] dims -2, -1 : (tensor<3x2x4xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT: return %[[V1]] : tensor<3x4x2xf32>
func.func @rotated(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[3,4,2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Transpose"(%arg0) {torch.onnx.perm = [1 : si64, 2 : si64, 0 : si64]} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[3,4,2],f32>
  return %r1 : !torch.vtensor<[3,4,2],f32>
}

// CHECK-LABEL: func.func @identity(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @identity(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %r1 = torch.operator "onnx.Transpose"(%arg0) {torch.onnx.perm = [0 : si64, 1 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @folded(
// CHECK: %[[V0:.+]] = forge.constant dense<{{\[\[}}1, 3], [2, 4]]> : tensor<2x2xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2x2xi64>
func.func @folded() -> !torch.vtensor<[2,2],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[1, 2], [3, 4]]> : tensor<2x2xsi64>} : () -> !torch.vtensor<[2,2],si64>
  %r2 = torch.operator "onnx.Transpose"(%c1) : (!torch.vtensor<[2,2],si64>) -> !torch.vtensor<[2,2],si64>
  return %r2 : !torch.vtensor<[2,2],si64>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// The grid of corner coordinates is a constant, which is multiplied by theta.
// CHECK-LABEL: func.func @corners(
// CHECK: %[[V0:.+]] = forge.transpose %arg0 dims -2, -1 : (tensor<1x2x3xf32>) -> tensor<1x3x2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.constant dense<{{\[\[}}-1.000000e+00, -1.000000e+00, 1.000000e+00], [1.000000e+00, -1.000000e+00, 1.000000e+00], [-1.000000e+00, 1.000000e+00, 1.000000e+00], [1.000000e+00, 1.000000e+00, 1.000000e+00]]> : tensor<4x3xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.matmul %[[V1]], %[[V0]] : (tensor<4x3xf32>, tensor<1x3x2xf32>) -> tensor<1x4x2xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.reshape %[[V2]] shape [1, 2, 2, 2] : (tensor<1x4x2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: return %[[V3]] : tensor<1x2x2x2xf32>
func.func @corners(%theta: !torch.vtensor<[1,2,3],f32>) -> !torch.vtensor<[1,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %size = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 1, 2, 2]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  %r = torch.operator "onnx.AffineGrid"(%theta, %size) {torch.onnx.align_corners = 1 : si64} : (!torch.vtensor<[1,2,3],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,2,2,2],f32>
  return %r : !torch.vtensor<[1,2,2,2],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: %[[V0:.+]] = forge.constant dense<[0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7]> : tensor<12xi64>
// CHECK: %[[V1:.+]] = forge.reshape %arg0 shape [1, 8] : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
// CHECK: %[[V2:.+]] = forge.adv_index %[[V1]], %[[V0]] dim -1 : (tensor<1x8xf32>, tensor<12xi64>) -> tensor<1x12xf32>
// CHECK: %[[V3:.+]] = forge.reshape %[[V2]] shape [1, 3, 4] : (tensor<1x12xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V4:.+]] = forge.multiply %[[V3]], %arg1 : (tensor<1x3x4xf32>, tensor<4xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V5:.+]] = forge.constant dense<{{\[\[}}1.000000e+00, 1.000000e+00, 1.000000e+00], [1.000000e+00, 6.12323426E-17, -1.000000e+00], [1.000000e+00, -1.000000e+00, 1.000000e+00], [1.000000e+00, -1.83697015E-16, -1.000000e+00]]> : tensor<4x3xf32>
// CHECK: %[[V6:.+]] = forge.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 1.22464685E-16], [0.000000e+00, 1.22464685E-16, 0.000000e+00], [0.000000e+00, -1.000000e+00, 1.22464685E-16]]> : tensor<4x3xf32>
// CHECK: %[[V7:.+]] = forge.matmul %[[V4]], %[[V5]] : (tensor<1x3x4xf32>, tensor<4x3xf32>) -> tensor<1x3x3xf32>
// CHECK: %[[V8:.+]] = forge.matmul %[[V4]], %[[V6]] : (tensor<1x3x4xf32>, tensor<4x3xf32>) -> tensor<1x3x3xf32>
// CHECK: %[[V9:.+]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V10:.+]] = forge.multiply %[[V8]], %[[V9]] : (tensor<1x3x3xf32>, tensor<f32>) -> tensor<1x3x3xf32>
// CHECK: %[[V11:.+]] = forge.reshape %[[V7]] shape [1, 3, 3, 1] : (tensor<1x3x3xf32>) -> tensor<1x3x3x1xf32>
// CHECK: %[[V12:.+]] = forge.reshape %[[V10]] shape [1, 3, 3, 1] : (tensor<1x3x3xf32>) -> tensor<1x3x3x1xf32>
// CHECK: %[[V13:.+]] = forge.concatenate %[[V11]], %[[V12]] axis -1 : (tensor<1x3x3x1xf32>, tensor<1x3x3x1xf32>) -> tensor<1x3x3x2xf32>
// CHECK-NEXT: return %[[V13]] : tensor<1x3x3x2xf32>
func.func @f(%x: !torch.vtensor<[1,8,1],f32>, %w: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,3,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %out = torch.operator "onnx.STFT"(%x, %s, %w) : (!torch.vtensor<[1,8,1],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,3,3,2],f32>
  return %out : !torch.vtensor<[1,3,3,2],f32>
}

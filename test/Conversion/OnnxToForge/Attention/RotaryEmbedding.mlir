// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: %[[V0:.+]] = forge.embedding %arg3, %arg1 : (tensor<1x3xi64>, tensor<5x2xf32>) -> tensor<1x3x2xf32>
// CHECK: %[[V1:.+]] = forge.repeat_interleave %[[V0]] repeats 2 dim -1 : (tensor<1x3x2xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V2:.+]] = forge.embedding %arg3, %arg2 : (tensor<1x3xi64>, tensor<5x2xf32>) -> tensor<1x3x2xf32>
// CHECK: %[[V3:.+]] = forge.repeat_interleave %[[V2]] repeats 2 dim -1 : (tensor<1x3x2xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V4:.+]] = forge.constant dense<[-1.000000e+00, 1.000000e+00, -1.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK: %[[V5:.+]] = forge.multiply %[[V3]], %[[V4]] : (tensor<1x3x4xf32>, tensor<4xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V6:.+]] = forge.reshape %[[V5]] shape [1, 1, 3, 4] : (tensor<1x3x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK: %[[V7:.+]] = forge.strided_slice %arg0 dim 3 [1:2] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x1xf32>
// CHECK: %[[V8:.+]] = forge.strided_slice %arg0 dim 3 [0:4:3] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x2xf32>
// CHECK: %[[V9:.+]] = forge.strided_slice %arg0 dim 3 [2:3] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x1xf32>
// CHECK: %[[V10:.+]] = forge.concatenate %[[V7]], %[[V8]], %[[V9]] axis -1 : (tensor<1x2x3x1xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x1xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V11:.+]] = forge.multiply %[[V10]], %[[V6]] : (tensor<1x2x3x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V12:.+]] = forge.reshape %[[V1]] shape [1, 1, 3, 4] : (tensor<1x3x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK: %[[V13:.+]] = forge.multiply %arg0, %[[V12]] : (tensor<1x2x3x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V14:.+]] = forge.add %[[V13]], %[[V11]] : tensor<1x2x3x4xf32>
// CHECK-NEXT: return %[[V14]] : tensor<1x2x3x4xf32>
func.func @f(%x: !torch.vtensor<[1,2,3,4],f32>, %c: !torch.vtensor<[5,2],f32>, %s: !torch.vtensor<[5,2],f32>, %p: !torch.vtensor<[1,3],si64>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 23 : si64} {
  %out = torch.operator "onnx.RotaryEmbedding"(%x, %c, %s, %p) {torch.onnx.interleaved = 1 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[5,2],f32>, !torch.vtensor<[5,2],f32>, !torch.vtensor<[1,3],si64>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}

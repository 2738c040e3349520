// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: %[[V0:.+]] = forge.reshape %arg3 shape [3] : (tensor<1x3xi64>) -> tensor<3xi64>
// CHECK-NEXT: %[[V1:.+]] = forge.adv_index %arg1, %[[V0]] dim -2 : (tensor<5x2xf32>, tensor<3xi64>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %[[V1]] shape [1, 3, 2] : (tensor<3x2xf32>) -> tensor<1x3x2xf32>
// CHECK-NEXT: %[[V4:.+]] = forge.reshape %arg3 shape [3] : (tensor<1x3xi64>) -> tensor<3xi64>
// CHECK-NEXT: %[[V5:.+]] = forge.adv_index %arg2, %[[V4]] dim -2 : (tensor<5x2xf32>, tensor<3xi64>) -> tensor<3x2xf32>
// CHECK-NEXT: %[[V6:.+]] = forge.reshape %[[V5]] shape [1, 3, 2] : (tensor<3x2xf32>) -> tensor<1x3x2xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.reshape %[[V2]] shape [1, 1, 3, 2] : (tensor<1x3x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[V7:.+]] = forge.reshape %[[V6]] shape [1, 1, 3, 2] : (tensor<1x3x2xf32>) -> tensor<1x1x3x2xf32>
// CHECK-NEXT: %[[V8:.+]] = forge.strided_slice %arg0 dim 3 [0:4:2] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[V9:.+]] = forge.strided_slice %arg0 dim 3 [1:4:2] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[V10:.+]] = forge.multiply %[[V7]], %[[V9]] : (tensor<1x1x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[V11:.+]] = forge.multiply %[[V3]], %[[V8]] : (tensor<1x1x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[V12:.+]] = forge.subtract %[[V11]], %[[V10]] : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[V13:.+]] = forge.multiply %[[V3]], %[[V9]] : (tensor<1x1x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[V14:.+]] = forge.multiply %[[V7]], %[[V8]] : (tensor<1x1x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[V15:.+]] = forge.add %[[V14]], %[[V13]] : tensor<1x2x3x2xf32>
// CHECK-NEXT: %[[V16:.+]] = forge.reshape %[[V12]] shape [1, 2, 3, 2, 1] : (tensor<1x2x3x2xf32>) -> tensor<1x2x3x2x1xf32>
// CHECK-NEXT: %[[V17:.+]] = forge.reshape %[[V15]] shape [1, 2, 3, 2, 1] : (tensor<1x2x3x2xf32>) -> tensor<1x2x3x2x1xf32>
// CHECK-NEXT: %[[V18:.+]] = forge.concatenate %[[V16]], %[[V17]] axis -1 : (tensor<1x2x3x2x1xf32>, tensor<1x2x3x2x1xf32>) -> tensor<1x2x3x2x2xf32>
// CHECK-NEXT: %[[V19:.+]] = forge.reshape %[[V18]] shape [1, 2, 3, 4] : (tensor<1x2x3x2x2xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: return %[[V19]] : tensor<1x2x3x4xf32>
func.func @f(%x: !torch.vtensor<[1,2,3,4],f32>, %c: !torch.vtensor<[5,2],f32>, %s: !torch.vtensor<[5,2],f32>, %p: !torch.vtensor<[1,3],si64>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 23 : si64} {
  %out = torch.operator "onnx.RotaryEmbedding"(%x, %c, %s, %p) {torch.onnx.interleaved = 1 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[5,2],f32>, !torch.vtensor<[5,2],f32>, !torch.vtensor<[1,3],si64>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}

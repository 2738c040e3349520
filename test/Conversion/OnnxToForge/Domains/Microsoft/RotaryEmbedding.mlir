// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @start(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 3, 2, 4] : (tensor<1x3x8xf32>) -> tensor<1x3x2x4xf32>
// CHECK: %[[V1:.+]] = forge.transpose %[[V0]] dims -3, -2 : (tensor<1x3x2x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V2:.+]] = forge.reshape %arg1 shape [1, 1] : (tensor<1xi64>) -> tensor<1x1xi64>
// CHECK: %[[V3:.+]] = forge.constant dense<{{\[\[}}0, 1, 2]]> : tensor<1x3xi64>
// CHECK: %[[V4:.+]] = forge.add %[[V2]], %[[V3]] : (tensor<1x1xi64>, tensor<1x3xi64>) -> tensor<1x3xi64>
// CHECK: %[[V5:.+]] = forge.embedding %[[V4]], %arg2 : (tensor<1x3xi64>, tensor<6x2xf32>) -> tensor<1x3x2xf32>
// CHECK: %[[V6:.+]] = forge.concatenate %[[V5]], %[[V5]] axis -1 : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V7:.+]] = forge.reshape %arg1 shape [1, 1] : (tensor<1xi64>) -> tensor<1x1xi64>
// CHECK: %[[V8:.+]] = forge.constant dense<{{\[\[}}0, 1, 2]]> : tensor<1x3xi64>
// CHECK: %[[V9:.+]] = forge.add %[[V7]], %[[V8]] : (tensor<1x1xi64>, tensor<1x3xi64>) -> tensor<1x3xi64>
// CHECK: %[[V10:.+]] = forge.embedding %[[V9]], %arg3 : (tensor<1x3xi64>, tensor<6x2xf32>) -> tensor<1x3x2xf32>
// CHECK: %[[V11:.+]] = forge.concatenate %[[V10]], %[[V10]] axis -1 : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V12:.+]] = forge.constant dense<[-1.000000e+00, -1.000000e+00, 1.000000e+00, 1.000000e+00]> : tensor<4xf32>
// CHECK: %[[V13:.+]] = forge.multiply %[[V11]], %[[V12]] : (tensor<1x3x4xf32>, tensor<4xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V14:.+]] = forge.reshape %[[V13]] shape [1, 1, 3, 4] : (tensor<1x3x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK: %[[V15:.+]] = forge.strided_slice %[[V1]] dim 3 [2:4] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x2xf32>
// CHECK: %[[V16:.+]] = forge.strided_slice %[[V1]] dim 3 [0:2] : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x2xf32>
// CHECK: %[[V17:.+]] = forge.concatenate %[[V15]], %[[V16]] axis -1 : (tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V18:.+]] = forge.multiply %[[V17]], %[[V14]] : (tensor<1x2x3x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V19:.+]] = forge.reshape %[[V6]] shape [1, 1, 3, 4] : (tensor<1x3x4xf32>) -> tensor<1x1x3x4xf32>
// CHECK: %[[V20:.+]] = forge.multiply %[[V1]], %[[V19]] : (tensor<1x2x3x4xf32>, tensor<1x1x3x4xf32>) -> tensor<1x2x3x4xf32>
// CHECK: %[[V21:.+]] = forge.add %[[V20]], %[[V18]] : tensor<1x2x3x4xf32>
// CHECK: %[[V22:.+]] = forge.transpose %[[V21]] dims -3, -2 : (tensor<1x2x3x4xf32>) -> tensor<1x3x2x4xf32>
// CHECK: %[[V23:.+]] = forge.reshape %[[V22]] shape [1, 3, 8] : (tensor<1x3x2x4xf32>) -> tensor<1x3x8xf32>
// CHECK-NEXT: return %[[V23]] : tensor<1x3x8xf32>
func.func @start(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1],si64>, %x2: !torch.vtensor<[6,2],f32>, %x3: !torch.vtensor<[6,2],f32>) -> (!torch.vtensor<[1,3,8],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.RotaryEmbedding"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[6,2],f32>, !torch.vtensor<[6,2],f32>) -> !torch.vtensor<[1,3,8],f32>
  return %out : !torch.vtensor<[1,3,8],f32>
}

// CHECK-LABEL: func.func @positions(
// CHECK: %[[V0:.+]] = forge.embedding %arg1, %arg2 : (tensor<1x3xi64>, tensor<6x2xf32>) -> tensor<1x3x2xf32>
// CHECK: %[[V1:.+]] = forge.repeat_interleave %[[V0]] repeats 2 dim -1 : (tensor<1x3x2xf32>) -> tensor<1x3x4xf32>
// CHECK: %[[V2:.+]] = forge.embedding %arg1, %arg3 : (tensor<1x3xi64>, tensor<6x2xf32>) -> tensor<1x3x2xf32>
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
func.func @positions(%x0: !torch.vtensor<[1,2,3,4],f32>, %x1: !torch.vtensor<[1,3],si64>, %x2: !torch.vtensor<[6,2],f32>, %x3: !torch.vtensor<[6,2],f32>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.RotaryEmbedding"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.interleaved = 1 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[1,3],si64>, !torch.vtensor<[6,2],f32>, !torch.vtensor<[6,2],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}

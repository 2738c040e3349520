// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: %[[V0:.+]] = forge.add %arg0, %arg1 : tensor<1x2x4xf32>
// CHECK: %[[V1:.+]] = forge.reduce_avg %[[V0]] dim -1 keep_dim : (tensor<1x2x4xf32>) -> tensor<1x2x1xf32>
// CHECK: %[[V2:.+]] = forge.subtract %[[V0]], %[[V1]] : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x2x4xf32>
// CHECK: %[[V3:.+]] = forge.multiply %[[V2]], %[[V2]] : tensor<1x2x4xf32>
// CHECK: %[[V4:.+]] = forge.reduce_avg %[[V3]] dim -1 keep_dim : (tensor<1x2x4xf32>) -> tensor<1x2x1xf32>
// CHECK: %[[V5:.+]] = forge.constant dense<9.99999996E-13> : tensor<f32>
// CHECK: %[[V6:.+]] = forge.add %[[V4]], %[[V5]] : (tensor<1x2x1xf32>, tensor<f32>) -> tensor<1x2x1xf32>
// CHECK: %[[V7:.+]] = forge.sqrt %[[V6]] : tensor<1x2x1xf32>
// CHECK: %[[V8:.+]] = forge.divide %[[V2]], %[[V7]] : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x2x4xf32>
// CHECK: %[[V9:.+]] = forge.multiply %[[V8]], %arg2 : (tensor<1x2x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT: return %[[V9]] : tensor<1x2x4xf32>
func.func @f(%x: !torch.vtensor<[1,2,4],f32>, %y: !torch.vtensor<[1,2,4],f32>, %g: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.SkipLayerNormalization"(%x, %y, %g) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %out : !torch.vtensor<[1,2,4],f32>
}

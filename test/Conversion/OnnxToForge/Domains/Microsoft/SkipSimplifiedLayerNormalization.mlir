// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK-DAG: %[[V0:.+]] = forge.add %arg0, %arg1 : tensor<1x2x4xf32>
// CHECK-DAG: %[[V1:.+]] = forge.multiply %[[V0]], %[[V0]] : tensor<1x2x4xf32>
// CHECK-DAG: %[[V2:.+]] = forge.reduce_avg %[[V1]] dim -1 keep_dim : (tensor<1x2x4xf32>) -> tensor<1x2x1xf32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<9.99999996E-13> : tensor<f32>
// CHECK-DAG: %[[V4:.+]] = forge.add %[[V2]], %[[V3]] : (tensor<1x2x1xf32>, tensor<f32>) -> tensor<1x2x1xf32>
// CHECK-DAG: %[[V5:.+]] = forge.sqrt %[[V4]] : tensor<1x2x1xf32>
// CHECK-DAG: %[[V6:.+]] = forge.divide %[[V0]], %[[V5]] : (tensor<1x2x4xf32>, tensor<1x2x1xf32>) -> tensor<1x2x4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.multiply %[[V6]], %arg2 : (tensor<1x2x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
// CHECK: return %[[V7]] : tensor<1x2x4xf32>
func.func @f(%x: !torch.vtensor<[1,2,4],f32>, %y: !torch.vtensor<[1,2,4],f32>, %g: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.SkipSimplifiedLayerNormalization"(%x, %y, %g) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %out : !torch.vtensor<[1,2,4],f32>
}

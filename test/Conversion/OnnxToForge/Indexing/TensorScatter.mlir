// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: %[[V0:.+]] = forge.reshape %arg2 shape [2, 1, 1] : (tensor<2xi64>) -> tensor<2x1x1xi64>
// CHECK: %[[V1:.+]] = forge.constant dense<{{\[\[\[}}0], [1], [2], [3]]]> : tensor<1x4x1xi64>
// CHECK: %[[V2:.+]] = forge.constant dense<0> : tensor<i64>
// CHECK: %[[V3:.+]] = forge.add %[[V0]], %[[V2]] : (tensor<2x1x1xi64>, tensor<i64>) -> tensor<2x1x1xi64>
// CHECK: %[[V4:.+]] = forge.constant dense<4> : tensor<i64>
// CHECK: %[[V8:.+]] = forge.remainder %[[V3]], %[[V4]] : (tensor<2x1x1xi64>, tensor<i64>) -> tensor<2x1x1xi64>
// CHECK: %[[V9:.+]] = forge.equal %[[V1]], %[[V8]] : (tensor<1x4x1xi64>, tensor<2x1x1xi64>) -> tensor<2x4x1xi64>
// CHECK: %[[V10:.+]] = forge.cast %[[V9]] dtype i1 : (tensor<2x4x1xi64>) -> tensor<2x4x1xi1>
// CHECK: %[[V11:.+]] = forge.where %[[V10]], %arg1, %arg0 : (tensor<2x4x1xi1>, tensor<2x1x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: return %[[V11]] : tensor<2x4x3xf32>
func.func @f(%x: !torch.vtensor<[2,4,3],f32>, %u: !torch.vtensor<[2,1,3],f32>, %i: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2,4,3],f32>) attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %out = torch.operator "onnx.TensorScatter"(%x, %u, %i) {torch.onnx.mode = "circular"} : (!torch.vtensor<[2,4,3],f32>, !torch.vtensor<[2,1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,3],f32>
  return %out : !torch.vtensor<[2,4,3],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.abs %arg0 : tensor<2x3xf32>
// CHECK: %[[V1:.+]] = forge.constant dense<2.44140625E-4> : tensor<f32>
// CHECK: %[[V2:.+]] = forge.less %[[V0]], %[[V1]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V3:.+]] = forge.cast %[[V2]] dtype i1 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK: %[[V4:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V5:.+]] = forge.add %arg0, %[[V4]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V6:.+]] = forge.constant dense<2.38418579E-7> : tensor<f32>
// CHECK: %[[V7:.+]] = forge.divide %[[V6]], %[[V5]] : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[V8:.+]] = forge.where %[[V3]], %[[V7]], %arg0 : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[V9:.+]] = forge.log %[[V8]] : tensor<2x3xf32>
// CHECK: %[[V10:.+]] = forge.constant dense<-15.249238> : tensor<f32>
// CHECK: %[[V11:.+]] = forge.subtract %[[V10]], %[[V9]] : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[V12:.+]] = forge.where %[[V3]], %[[V11]], %[[V9]] : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V12]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Log"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.abs %arg0 : tensor<2x3xf32>
// CHECK: %[[V1:.+]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V2:.+]] = forge.multiply %[[V0]], %[[V1]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V3:.+]] = forge.exp %[[V2]] : tensor<2x3xf32>
// CHECK: %[[V4:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V5:.+]] = forge.add %[[V3]], %[[V4]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V6:.+]] = forge.log %[[V5]] : tensor<2x3xf32>
// CHECK: %[[V7:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V8:.+]] = forge.subtract %[[V5]], %[[V7]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V9:.+]] = forge.subtract %[[V3]], %[[V8]] : tensor<2x3xf32>
// CHECK: %[[V10:.+]] = forge.divide %[[V9]], %[[V5]] : tensor<2x3xf32>
// CHECK: %[[V11:.+]] = forge.add %[[V6]], %[[V10]] : tensor<2x3xf32>
// CHECK: %[[V12:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V13:.+]] = forge.max %arg0, %[[V12]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V14:.+]] = forge.add %[[V13]], %[[V11]] : tensor<2x3xf32>
// CHECK-NEXT: return %[[V14]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Softplus"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

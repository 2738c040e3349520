// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.abs %arg0 : tensor<2x3xf32>
// CHECK: %[[V1:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V2:.+]] = forge.subtract %[[V1]], %[[V0]] : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[V3:.+]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[V4:.+]] = forge.multiply %[[V3]], %[[V0]] : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[V5:.+]] = forge.divide %[[V4]], %[[V2]] : tensor<2x3xf32>
// CHECK: %[[V6:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V7:.+]] = forge.add %[[V5]], %[[V6]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V8:.+]] = forge.log %[[V7]] : tensor<2x3xf32>
// CHECK: %[[V9:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V10:.+]] = forge.subtract %[[V7]], %[[V9]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V11:.+]] = forge.subtract %[[V5]], %[[V10]] : tensor<2x3xf32>
// CHECK: %[[V12:.+]] = forge.divide %[[V11]], %[[V7]] : tensor<2x3xf32>
// CHECK: %[[V13:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V14:.+]] = forge.less %[[V5]], %[[V13]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V15:.+]] = forge.cast %[[V14]] dtype i1 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK: %[[V16:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V17:.+]] = forge.where %[[V15]], %[[V12]], %[[V16]] : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V18:.+]] = forge.add %[[V8]], %[[V17]] : tensor<2x3xf32>
// CHECK: %[[V19:.+]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V20:.+]] = forge.multiply %[[V19]], %[[V18]] : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[V21:.+]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V22:.+]] = forge.multiply %[[V20]], %[[V21]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V23:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V24:.+]] = forge.less %arg0, %[[V23]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V25:.+]] = forge.cast %[[V24]] dtype i1 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK: %[[V26:.+]] = forge.where %[[V25]], %[[V22]], %[[V20]] : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: return %[[V26]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Atanh"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

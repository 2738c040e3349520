// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.abs %arg0 : tensor<2x3xf32>
// CHECK: %[[V1:.+]] = forge.multiply %[[V0]], %[[V0]] : tensor<2x3xf32>
// CHECK: %[[V2:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V3:.+]] = forge.add %[[V1]], %[[V2]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V4:.+]] = forge.sqrt %[[V3]] : tensor<2x3xf32>
// CHECK: %[[V5:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V6:.+]] = forge.add %[[V5]], %[[V4]] : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[V7:.+]] = forge.multiply %[[V0]], %[[V0]] : tensor<2x3xf32>
// CHECK: %[[V8:.+]] = forge.divide %[[V7]], %[[V6]] : tensor<2x3xf32>
// CHECK: %[[V9:.+]] = forge.add %[[V0]], %[[V8]] : tensor<2x3xf32>
// CHECK: %[[V10:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V11:.+]] = forge.add %[[V9]], %[[V10]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V12:.+]] = forge.log %[[V11]] : tensor<2x3xf32>
// CHECK: %[[V13:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V14:.+]] = forge.subtract %[[V11]], %[[V13]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V15:.+]] = forge.subtract %[[V9]], %[[V14]] : tensor<2x3xf32>
// CHECK: %[[V16:.+]] = forge.divide %[[V15]], %[[V11]] : tensor<2x3xf32>
// CHECK: %[[V17:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V18:.+]] = forge.less %[[V9]], %[[V17]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V19:.+]] = forge.cast %[[V18]] dtype i1 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK: %[[V20:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V21:.+]] = forge.where %[[V19]], %[[V16]], %[[V20]] : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V22:.+]] = forge.add %[[V12]], %[[V21]] : tensor<2x3xf32>
// CHECK: %[[V23:.+]] = forge.log %[[V0]] : tensor<2x3xf32>
// CHECK: %[[V24:.+]] = forge.constant dense<0.693147182> : tensor<f32>
// CHECK: %[[V25:.+]] = forge.add %[[V23]], %[[V24]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V26:.+]] = forge.constant dense<1.000000e+08> : tensor<f32>
// CHECK: %[[V27:.+]] = forge.greater %[[V0]], %[[V26]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V28:.+]] = forge.cast %[[V27]] dtype i1 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK: %[[V29:.+]] = forge.where %[[V28]], %[[V25]], %[[V22]] : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: %[[V30:.+]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V31:.+]] = forge.multiply %[[V29]], %[[V30]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V32:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V33:.+]] = forge.less %arg0, %[[V32]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V34:.+]] = forge.cast %[[V33]] dtype i1 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK: %[[V35:.+]] = forge.where %[[V34]], %[[V31]], %[[V29]] : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: return %[[V35]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Asinh"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

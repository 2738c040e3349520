// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V1:.+]] = forge.subtract %arg0, %[[V0]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V2:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V3:.+]] = forge.add %arg0, %[[V2]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V4:.+]] = forge.sqrt %[[V3]] : tensor<2x3xf32>
// CHECK: %[[V5:.+]] = forge.sqrt %[[V1]] : tensor<2x3xf32>
// CHECK: %[[V6:.+]] = forge.multiply %[[V5]], %[[V4]] : tensor<2x3xf32>
// CHECK: %[[V7:.+]] = forge.add %[[V1]], %[[V6]] : tensor<2x3xf32>
// CHECK: %[[V8:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V9:.+]] = forge.add %[[V7]], %[[V8]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V10:.+]] = forge.log %[[V9]] : tensor<2x3xf32>
// CHECK: %[[V11:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V12:.+]] = forge.subtract %[[V9]], %[[V11]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V13:.+]] = forge.subtract %[[V7]], %[[V12]] : tensor<2x3xf32>
// CHECK: %[[V14:.+]] = forge.divide %[[V13]], %[[V9]] : tensor<2x3xf32>
// CHECK: %[[V15:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V16:.+]] = forge.less %[[V7]], %[[V15]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V17:.+]] = forge.cast %[[V16]] dtype i1 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK: %[[V18:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V19:.+]] = forge.where %[[V17]], %[[V14]], %[[V18]] : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V20:.+]] = forge.add %[[V10]], %[[V19]] : tensor<2x3xf32>
// CHECK: %[[V21:.+]] = forge.log %arg0 : tensor<2x3xf32>
// CHECK: %[[V22:.+]] = forge.constant dense<0.693147182> : tensor<f32>
// CHECK: %[[V23:.+]] = forge.add %[[V21]], %[[V22]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V24:.+]] = forge.constant dense<1.000000e+08> : tensor<f32>
// CHECK: %[[V25:.+]] = forge.greater %arg0, %[[V24]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK: %[[V26:.+]] = forge.cast %[[V25]] dtype i1 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK: %[[V27:.+]] = forge.where %[[V26]], %[[V23]], %[[V20]] : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK: return %[[V27]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Acosh"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.reduce_sum %arg0 dim -1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
// CHECK: %[[V1:.+]] = forge.reduce_sum %[[V0]] dim -3 keep_dim : (tensor<2x3x1xf32>) -> tensor<1x3x1xf32>
// CHECK: %[[V2:.+]] = forge.abs %[[V1]] : tensor<1x3x1xf32>
// CHECK: %[[V3:.+]] = forge.constant dense<2.44140625E-4> : tensor<f32>
// CHECK: %[[V4:.+]] = forge.less %[[V2]], %[[V3]] : (tensor<1x3x1xf32>, tensor<f32>) -> tensor<1x3x1xf32>
// CHECK: %[[V5:.+]] = forge.cast %[[V4]] dtype i1 : (tensor<1x3x1xf32>) -> tensor<1x3x1xi1>
// CHECK: %[[V6:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V7:.+]] = forge.add %[[V1]], %[[V6]] : (tensor<1x3x1xf32>, tensor<f32>) -> tensor<1x3x1xf32>
// CHECK: %[[V8:.+]] = forge.constant dense<2.38418579E-7> : tensor<f32>
// CHECK: %[[V9:.+]] = forge.divide %[[V8]], %[[V7]] : (tensor<f32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
// CHECK: %[[V10:.+]] = forge.where %[[V5]], %[[V9]], %[[V1]] : (tensor<1x3x1xi1>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
// CHECK: %[[V11:.+]] = forge.log %[[V10]] : tensor<1x3x1xf32>
// CHECK: %[[V12:.+]] = forge.constant dense<-15.249238> : tensor<f32>
// CHECK: %[[V13:.+]] = forge.subtract %[[V12]], %[[V11]] : (tensor<f32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
// CHECK: %[[V14:.+]] = forge.where %[[V5]], %[[V13]], %[[V11]] : (tensor<1x3x1xi1>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
// CHECK-NEXT: return %[[V14]] : tensor<1x3x1xf32>
func.func @f0(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ReduceLogSum"(%x0) {torch.onnx.axes = [0 : si64, -1 : si64]} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32>
  return %y : !torch.vtensor<[1,3,1],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.+]] = forge.reduce_sum %arg0 dim -2 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
// CHECK: %[[V1:.+]] = forge.abs %[[V0]] : tensor<2x1x4xf32>
// CHECK: %[[V2:.+]] = forge.constant dense<2.44140625E-4> : tensor<f32>
// CHECK: %[[V3:.+]] = forge.less %[[V1]], %[[V2]] : (tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x1x4xf32>
// CHECK: %[[V4:.+]] = forge.cast %[[V3]] dtype i1 : (tensor<2x1x4xf32>) -> tensor<2x1x4xi1>
// CHECK: %[[V5:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V6:.+]] = forge.add %[[V0]], %[[V5]] : (tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x1x4xf32>
// CHECK: %[[V7:.+]] = forge.constant dense<2.38418579E-7> : tensor<f32>
// CHECK: %[[V8:.+]] = forge.divide %[[V7]], %[[V6]] : (tensor<f32>, tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
// CHECK: %[[V9:.+]] = forge.where %[[V4]], %[[V8]], %[[V0]] : (tensor<2x1x4xi1>, tensor<2x1x4xf32>, tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
// CHECK: %[[V10:.+]] = forge.log %[[V9]] : tensor<2x1x4xf32>
// CHECK: %[[V11:.+]] = forge.constant dense<-15.249238> : tensor<f32>
// CHECK: %[[V12:.+]] = forge.subtract %[[V11]], %[[V10]] : (tensor<f32>, tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
// CHECK: %[[V13:.+]] = forge.where %[[V4]], %[[V12]], %[[V10]] : (tensor<2x1x4xi1>, tensor<2x1x4xf32>, tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
// CHECK: %[[V14:.+]] = forge.reshape %[[V13]] shape [2, 4] : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V14]] : tensor<2x4xf32>
func.func @f1(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %y = torch.operator "onnx.ReduceLogSum"(%x0) {torch.onnx.axes = [1 : si64], torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

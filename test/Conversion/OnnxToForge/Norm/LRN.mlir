// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// The squares are averaged by a pool along the channels.
// CHECK-LABEL: func.func @defaults(
// CHECK: %[[V0:.+]] = forge.multiply %arg0, %arg0 : tensor<2x5x4x4xf32>
// CHECK: %[[V1:.+]] = forge.constant dense<0.000000e+00> : tensor<2x1x4x4xf32>
// CHECK: %[[V2:.+]] = forge.constant dense<0.000000e+00> : tensor<2x1x4x4xf32>
// CHECK: %[[V3:.+]] = forge.concatenate %[[V1]], %[[V0]], %[[V2]] axis -3 : (tensor<2x1x4x4xf32>, tensor<2x5x4x4xf32>, tensor<2x1x4x4xf32>) -> tensor<2x7x4x4xf32>
// CHECK: %[[V4:.+]] = forge.avg_pool2d %[[V3]] kernel_size [3, 1] stride [1, 1] padding [0, 0, 0, 0] count_include_pad channel_last : (tensor<2x7x4x4xf32>) -> tensor<2x5x4x4xf32>
// CHECK: %[[V5:.+]] = forge.constant dense<9.99999974E-5> : tensor<f32>
// CHECK: %[[V6:.+]] = forge.multiply %[[V4]], %[[V5]] : (tensor<2x5x4x4xf32>, tensor<f32>) -> tensor<2x5x4x4xf32>
// CHECK: %[[V7:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V8:.+]] = forge.add %[[V6]], %[[V7]] : (tensor<2x5x4x4xf32>, tensor<f32>) -> tensor<2x5x4x4xf32>
// CHECK: %[[V9:.+]] = forge.constant dense<7.500000e-01> : tensor<f32>
// CHECK: %[[V10:.+]] = forge.power %[[V8]], %[[V9]] : (tensor<2x5x4x4xf32>, tensor<f32>) -> tensor<2x5x4x4xf32>
// CHECK: %[[V11:.+]] = forge.divide %arg0, %[[V10]] : tensor<2x5x4x4xf32>
// CHECK-NEXT: return %[[V11]] : tensor<2x5x4x4xf32>
func.func @defaults(%arg0: !torch.vtensor<[2,5,4,4],f32>) -> !torch.vtensor<[2,5,4,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.LRN"(%arg0) {torch.onnx.size = 3 : si64} : (!torch.vtensor<[2,5,4,4],f32>) -> !torch.vtensor<[2,5,4,4],f32>
  return %r1 : !torch.vtensor<[2,5,4,4],f32>
}

// A window of even size has one channel more after the centre than before it.
// CHECK-LABEL: func.func @even(
// CHECK: %[[V0:.+]] = forge.multiply %arg0, %arg0 : tensor<2x5xf32>
// CHECK: %[[V1:.+]] = forge.reshape %[[V0]] shape [2, 5, 1, 1] : (tensor<2x5xf32>) -> tensor<2x5x1x1xf32>
// CHECK: %[[V2:.+]] = forge.constant dense<0.000000e+00> : tensor<2x1x1x1xf32>
// CHECK: %[[V3:.+]] = forge.concatenate %[[V1]], %[[V2]] axis -3 : (tensor<2x5x1x1xf32>, tensor<2x1x1x1xf32>) -> tensor<2x6x1x1xf32>
// CHECK: %[[V4:.+]] = forge.avg_pool2d %[[V3]] kernel_size [2, 1] stride [1, 1] padding [0, 0, 0, 0] count_include_pad channel_last : (tensor<2x6x1x1xf32>) -> tensor<2x5x1x1xf32>
// CHECK: %[[V5:.+]] = forge.constant dense<1.000000e-01> : tensor<f32>
// CHECK: %[[V6:.+]] = forge.reshape %[[V4]] shape [2, 5] : (tensor<2x5x1x1xf32>) -> tensor<2x5xf32>
// CHECK: %[[V7:.+]] = forge.multiply %[[V6]], %[[V5]] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
// CHECK: %[[V8:.+]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[V9:.+]] = forge.add %[[V7]], %[[V8]] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
// CHECK: %[[V10:.+]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V11:.+]] = forge.power %[[V9]], %[[V10]] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
// CHECK: %[[V12:.+]] = forge.divide %arg0, %[[V11]] : tensor<2x5xf32>
// CHECK-NEXT: return %[[V12]] : tensor<2x5xf32>
func.func @even(%arg0: !torch.vtensor<[2,5],f32>) -> !torch.vtensor<[2,5],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.LRN"(%arg0) {torch.onnx.alpha = 1.000000e-01 : f32, torch.onnx.beta = 5.000000e-01 : f32, torch.onnx.bias = 2.000000e+00 : f32, torch.onnx.size = 2 : si64} : (!torch.vtensor<[2,5],f32>) -> !torch.vtensor<[2,5],f32>
  return %r1 : !torch.vtensor<[2,5],f32>
}

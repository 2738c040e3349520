// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// A convolution over the channels sums the squares.
// CHECK-LABEL: func.func @defaults(
// CHECK: %[[V0:.+]] = forge.multiply %arg0, %arg0 : tensor<2x5x4x4xf32>
// CHECK: %[[V1:.+]] = forge.reshape %[[V0]] shape [2, 1, 5, 16] : (tensor<2x5x4x4xf32>) -> tensor<2x1x5x16xf32>
// CHECK: %[[V2:.+]] = forge.constant dense<3.33333337E-5> : tensor<1x1x3x1xf32>
// CHECK: %[[V3:.+]] = forge.conv2d %[[V1]], %[[V2]] stride [1, 1] padding [1, 0, 1, 0] : (tensor<2x1x5x16xf32>, tensor<1x1x3x1xf32>) -> tensor<2x1x5x16xf32>
// CHECK: %[[V4:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V5:.+]] = forge.reshape %[[V3]] shape [2, 5, 4, 4] : (tensor<2x1x5x16xf32>) -> tensor<2x5x4x4xf32>
// CHECK: %[[V6:.+]] = forge.add %[[V5]], %[[V4]] : (tensor<2x5x4x4xf32>, tensor<f32>) -> tensor<2x5x4x4xf32>
// CHECK: %[[V7:.+]] = forge.constant dense<7.500000e-01> : tensor<f32>
// CHECK: %[[V8:.+]] = forge.power %[[V6]], %[[V7]] : (tensor<2x5x4x4xf32>, tensor<f32>) -> tensor<2x5x4x4xf32>
// CHECK: %[[V9:.+]] = forge.divide %arg0, %[[V8]] : tensor<2x5x4x4xf32>
// CHECK-NEXT: return %[[V9]] : tensor<2x5x4x4xf32>
func.func @defaults(%arg0: !torch.vtensor<[2,5,4,4],f32>) -> !torch.vtensor<[2,5,4,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.LRN"(%arg0) {torch.onnx.size = 3 : si64} : (!torch.vtensor<[2,5,4,4],f32>) -> !torch.vtensor<[2,5,4,4],f32>
  return %r1 : !torch.vtensor<[2,5,4,4],f32>
}

// An even window reaches one further up.
// CHECK-LABEL: func.func @even(
// CHECK: %[[V0:.+]] = forge.multiply %arg0, %arg0 : tensor<2x5xf32>
// CHECK: %[[V1:.+]] = forge.reshape %[[V0]] shape [2, 1, 5, 1] : (tensor<2x5xf32>) -> tensor<2x1x5x1xf32>
// CHECK: %[[V2:.+]] = forge.constant dense<5.000000e-02> : tensor<1x1x2x1xf32>
// CHECK: %[[V3:.+]] = forge.conv2d %[[V1]], %[[V2]] stride [1, 1] padding [0, 0, 1, 0] : (tensor<2x1x5x1xf32>, tensor<1x1x2x1xf32>) -> tensor<2x1x5x1xf32>
// CHECK: %[[V4:.+]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[V5:.+]] = forge.reshape %[[V3]] shape [2, 5] : (tensor<2x1x5x1xf32>) -> tensor<2x5xf32>
// CHECK: %[[V6:.+]] = forge.add %[[V5]], %[[V4]] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
// CHECK: %[[V7:.+]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V8:.+]] = forge.power %[[V6]], %[[V7]] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
// CHECK: %[[V9:.+]] = forge.divide %arg0, %[[V8]] : tensor<2x5xf32>
// CHECK-NEXT: return %[[V9]] : tensor<2x5xf32>
func.func @even(%arg0: !torch.vtensor<[2,5],f32>) -> !torch.vtensor<[2,5],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.LRN"(%arg0) {torch.onnx.alpha = 1.000000e-01 : f32, torch.onnx.beta = 5.000000e-01 : f32, torch.onnx.bias = 2.000000e+00 : f32, torch.onnx.size = 2 : si64} : (!torch.vtensor<[2,5],f32>) -> !torch.vtensor<[2,5],f32>
  return %r1 : !torch.vtensor<[2,5],f32>
}

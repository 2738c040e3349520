// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// A division, because forge.reciprocal would add 1e-10 to its operand.
// CHECK-LABEL: func.func @exact(
// CHECK: %[[V0:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:.+]] = forge.divide %[[V0]], %arg0 : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xf32>
func.func @exact(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Reciprocal"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @old(
// CHECK: %[[V0:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:.+]] = forge.divide %[[V0]], %arg0 : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xf32>
func.func @old(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Reciprocal"(%arg0) {torch.onnx.consumed_inputs = [0 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

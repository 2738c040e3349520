// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Both the operand and the given shape are broadcast, so that the result may be larger than either.
// CHECK-LABEL: func.func @broadcast_of_both(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 3, 1] : (tensor<3x1xf32>) -> tensor<1x3x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.repeat %[[V0]] repeats [2, 1, 4] : (tensor<1x3x1xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3x4xf32>
func.func @broadcast_of_both(%arg0: !torch.vtensor<[3,1],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 8 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 1, 4]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %r2 = torch.operator "onnx.Expand"(%arg0, %c1) : (!torch.vtensor<[3,1],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[2,3,4],f32>
  return %r2 : !torch.vtensor<[2,3,4],f32>
}

// CHECK-LABEL: func.func @same(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @same(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Expand"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @scalar(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1] : (tensor<f32>) -> tensor<1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.repeat %[[V0]] repeats [4] : (tensor<1xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4xf32>
func.func @scalar(%arg0: !torch.vtensor<[],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r2 = torch.operator "onnx.Expand"(%arg0, %c1) : (!torch.vtensor<[],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[4],f32>
  return %r2 : !torch.vtensor<[4],f32>
}

// CHECK-LABEL: func.func @ones(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 3] : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x3xf32>
func.func @ones(%arg0: !torch.vtensor<[3],f32>) -> !torch.vtensor<[1,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Expand"(%arg0, %c1) : (!torch.vtensor<[3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,3],f32>
  return %r2 : !torch.vtensor<[1,3],f32>
}

// CHECK-LABEL: func.func @zero(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<0x3xf32>
func.func @zero(%arg0: !torch.vtensor<[1,3],f32>) -> !torch.vtensor<[0,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Expand"(%arg0, %c1) : (!torch.vtensor<[1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[0,3],f32>
  return %r2 : !torch.vtensor<[0,3],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @constant(
// CHECK: forge.pad %arg0 pad [1, 2] mode constant value 0.000000e+00
func.func @constant(%arg0: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,7],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 1, 0, 2]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  %r = torch.operator "onnx.Pad"(%arg0, %c0) {torch.onnx.mode = "constant"} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[2,7],f32>
  return %r : !torch.vtensor<[2,7],f32>
}

// CHECK-LABEL: func.func @crop(
// CHECK: forge.strided_slice %arg0 dim 1 [1:4]
func.func @crop(%arg0: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, -1, 0, 0]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  %r = torch.operator "onnx.Pad"(%arg0, %c0) {torch.onnx.mode = "constant"} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @edge(
// CHECK: forge.repeat
// CHECK: forge.concatenate
func.func @edge(%arg0: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,6],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 2, 0, 0]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  %r = torch.operator "onnx.Pad"(%arg0, %c0) {torch.onnx.mode = "edge"} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[2,6],f32>
  return %r : !torch.vtensor<[2,6],f32>
}

// CHECK-LABEL: func.func @wrap(
// CHECK: %[[L:.+]] = forge.strided_slice %arg0 dim 1 [3:
// CHECK: %[[R:.+]] = forge.strided_slice %arg0 dim 1 [0:
// CHECK: forge.concatenate %[[L]], %arg0, %[[R]]
func.func @wrap(%arg0: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,6],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 1, 0, 1]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  %r = torch.operator "onnx.Pad"(%arg0, %c0) {torch.onnx.mode = "wrap"} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[2,6],f32>
  return %r : !torch.vtensor<[2,6],f32>
}

// CHECK-LABEL: func.func @reflect(
// CHECK: dense<[2, 1, 0, 1, 2, 3, 2, 1]>
// CHECK: forge.adv_index %arg0
func.func @reflect(%arg0: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,8],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 2, 0, 2]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  %r = torch.operator "onnx.Pad"(%arg0, %c0) {torch.onnx.mode = "reflect"} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[2,8],f32>
  return %r : !torch.vtensor<[2,8],f32>
}

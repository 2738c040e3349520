// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @attribute(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 2, 3, 1] : (tensor<2x3xf32>) -> tensor<1x2x3x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2x3x1xf32>
func.func @attribute(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,2,3,1],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Unsqueeze"(%arg0) {torch.onnx.axes = [0 : si64, 3 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,2,3,1],f32>
  return %r1 : !torch.vtensor<[1,2,3,1],f32>
}

// CHECK-LABEL: func.func @negative(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [2, 3, 1] : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3x1xf32>
func.func @negative(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3,1],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Unsqueeze"(%arg0) {torch.onnx.axes = [-1 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3,1],f32>
  return %r1 : !torch.vtensor<[2,3,1],f32>
}

// CHECK-LABEL: func.func @input(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 1, 2, 3] : (tensor<2x3xf32>) -> tensor<1x1x2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x1x2x3xf32>
func.func @input(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,1,2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 0]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Unsqueeze"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,1,2,3],f32>
  return %r2 : !torch.vtensor<[1,1,2,3],f32>
}

// CHECK-LABEL: func.func @scalar(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1] : (tensor<f32>) -> tensor<1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1xf32>
func.func @scalar(%arg0: !torch.vtensor<[],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r2 = torch.operator "onnx.Unsqueeze"(%arg0, %c1) : (!torch.vtensor<[],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32>
  return %r2 : !torch.vtensor<[1],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @attribute(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 2] : (tensor<1x2x1xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2xf32>
func.func @attribute(%arg0: !torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[1,2],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Squeeze"(%arg0) {torch.onnx.axes = [2 : si64]} : (!torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[1,2],f32>
  return %r1 : !torch.vtensor<[1,2],f32>
}

// CHECK-LABEL: func.func @negative(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 2] : (tensor<1x2x1xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x2xf32>
func.func @negative(%arg0: !torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[1,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Squeeze"(%arg0) {torch.onnx.axes = [-1 : si64]} : (!torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[1,2],f32>
  return %r1 : !torch.vtensor<[1,2],f32>
}

// CHECK-LABEL: func.func @input(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [2, 1] : (tensor<1x2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x1xf32>
func.func @input(%arg0: !torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r2 = torch.operator "onnx.Squeeze"(%arg0, %c1) : (!torch.vtensor<[1,2,1],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,1],f32>
  return %r2 : !torch.vtensor<[2,1],f32>
}

// CHECK-LABEL: func.func @all(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [2] : (tensor<1x2x1xf32>) -> tensor<2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2xf32>
func.func @all(%arg0: !torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %r1 = torch.operator "onnx.Squeeze"(%arg0) : (!torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[2],f32>
  return %r1 : !torch.vtensor<[2],f32>
}

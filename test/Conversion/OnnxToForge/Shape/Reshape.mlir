// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Before opset 5, the shape is an attribute.
// CHECK-LABEL: func.func @attribute(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [3, 2] : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<3x2xf32>
func.func @attribute(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3,2],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Reshape"(%arg0) {torch.onnx.consumed_inputs = [0 : si64], torch.onnx.shape = [3 : si64, 2 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3,2],f32>
  return %r1 : !torch.vtensor<[3,2],f32>
}

// 0 copies a dim, -1 is inferred.
// CHECK-LABEL: func.func @copied(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [2, 12] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x12xf32>
func.func @copied(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,12],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,12],f32>
  return %r2 : !torch.vtensor<[2,12],f32>
}

// A result without elements is a constant.
// CHECK-LABEL: func.func @allowzero(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<3x0xf32>
// CHECK-NEXT: return %[[V0]] : tensor<3x0xf32>
func.func @allowzero(%arg0: !torch.vtensor<[0,3],f32>) -> !torch.vtensor<[3,0],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 0]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) {torch.onnx.allowzero = 1 : si64} : (!torch.vtensor<[0,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,0],f32>
  return %r2 : !torch.vtensor<[3,0],f32>
}

// CHECK-LABEL: func.func @scalar(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [] : (tensor<1x1xf32>) -> tensor<f32>
// CHECK-NEXT: return %[[V0]] : tensor<f32>
func.func @scalar(%arg0: !torch.vtensor<[1,1],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<> : tensor<0xsi64>} : () -> !torch.vtensor<[0],si64>
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) : (!torch.vtensor<[1,1],f32>, !torch.vtensor<[0],si64>) -> !torch.vtensor<[],f32>
  return %r2 : !torch.vtensor<[],f32>
}

// CHECK-LABEL: func.func @same(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @same(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Axes are an attribute before opset 18.
// CHECK-LABEL: func.func @attribute(
// CHECK: %[[V0:.+]] = forge.reduce_max %arg0 {dim = -1 : i64, keep_dim = true} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reduce_max %[[V0]] {dim = -2 : i64, keep_dim = true} : (tensor<2x3x1xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x1x1xf32>
func.func @attribute(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,1,1],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.ReduceMax"(%arg0) {torch.onnx.axes = [-1 : si64, 1 : si64]} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,1,1],f32>
  return %r1 : !torch.vtensor<[2,1,1],f32>
}

// Then an input. The last axis goes first, so that the others stay.
// CHECK-LABEL: func.func @input(
// CHECK: %[[V0:.+]] = forge.constant dense<[0, 2]> : tensor<2xi64>
// CHECK-NEXT: %[[V1:.+]] = forge.reduce_max %arg0 {dim = -1 : i64, keep_dim = false} : (tensor<2x3x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reduce_max %[[V1]] {dim = -2 : i64, keep_dim = false} : (tensor<2x3xf32>) -> tensor<3xf32>
// CHECK-NEXT: return %[[V2]] : tensor<3xf32>
func.func @input(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.ReduceMax"(%arg0, %c1) {torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3],f32>
  return %r2 : !torch.vtensor<[3],f32>
}

// CHECK-LABEL: func.func @all(
// CHECK: %[[V0:.+]] = forge.reduce_max %arg0 {dim = -1 : i64, keep_dim = true} : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reduce_max %[[V0]] {dim = -2 : i64, keep_dim = true} : (tensor<2x3x1xf32>) -> tensor<2x1x1xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reduce_max %[[V1]] {dim = -3 : i64, keep_dim = true} : (tensor<2x1x1xf32>) -> tensor<1x1x1xf32>
// CHECK-NEXT: return %[[V2]] : tensor<1x1x1xf32>
func.func @all(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,1,1],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %r1 = torch.operator "onnx.ReduceMax"(%arg0) : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,1,1],f32>
  return %r1 : !torch.vtensor<[1,1,1],f32>
}

// CHECK-LABEL: func.func @scalar(
// CHECK: %[[V0:.+]] = forge.reduce_max %arg0 {dim = -1 : i64, keep_dim = false} : (tensor<2xf32>) -> tensor<f32>
// CHECK-NEXT: return %[[V0]] : tensor<f32>
func.func @scalar(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.ReduceMax"(%arg0) {torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[],f32>
  return %r1 : !torch.vtensor<[],f32>
}

// CHECK-LABEL: func.func @noop(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0xi64>
// CHECK-NEXT: return %arg0 : tensor<2x3x4xf32>
func.func @noop(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<> : tensor<0xsi64>} : () -> !torch.vtensor<[0],si64>
  %r2 = torch.operator "onnx.ReduceMax"(%arg0, %c1) {torch.onnx.noop_with_empty_axes = 1 : si64} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[0],si64>) -> !torch.vtensor<[2,3,4],f32>
  return %r2 : !torch.vtensor<[2,3,4],f32>
}

// CHECK-LABEL: func.func @empty_axes(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0xi64>
// CHECK-NEXT: %[[V1:.+]] = forge.reduce_max %arg0 {dim = -1 : i64, keep_dim = true} : (tensor<2xf32>) -> tensor<1xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1xf32>
func.func @empty_axes(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<> : tensor<0xsi64>} : () -> !torch.vtensor<[0],si64>
  %r2 = torch.operator "onnx.ReduceMax"(%arg0, %c1) : (!torch.vtensor<[2],f32>, !torch.vtensor<[0],si64>) -> !torch.vtensor<[1],f32>
  return %r2 : !torch.vtensor<[1],f32>
}

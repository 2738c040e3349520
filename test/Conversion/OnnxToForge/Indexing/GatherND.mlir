// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @tuples(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.strided_slice %[[V0]] dim 0 [1:6:4] : (tensor<6x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x4xf32>
func.func @tuples(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[0, 1], [-1, 2]]> : tensor<2x2xsi64>} : () -> !torch.vtensor<[2,2],si64>
  %r2 = torch.operator "onnx.GatherND"(%arg0, %c1) : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[2,2],si64>) -> !torch.vtensor<[2,4],f32>
  return %r2 : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @rows(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 0 [1:2] : (tensor<2x3xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x3xf32>
func.func @rows(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[1]]> : tensor<1x1xsi64>} : () -> !torch.vtensor<[1,1],si64>
  %r2 = torch.operator "onnx.GatherND"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1,1],si64>) -> !torch.vtensor<[1,3],f32>
  return %r2 : !torch.vtensor<[1,3],f32>
}

// CHECK-LABEL: func.func @batch(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.strided_slice %[[V0]] dim 0 [2:4] : (tensor<6x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x4xf32>
func.func @batch(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[2], [0]]> : tensor<2x1xsi64>} : () -> !torch.vtensor<[2,1],si64>
  %r2 = torch.operator "onnx.GatherND"(%arg0, %c1) {torch.onnx.batch_dims = 1 : si64} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[2,1],si64>) -> !torch.vtensor<[2,4],f32>
  return %r2 : !torch.vtensor<[2,4],f32>
}

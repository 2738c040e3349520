// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @default(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [2, 12] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x12xf32>
func.func @default(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,12],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Flatten"(%arg0) : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,12],f32>
  return %r1 : !torch.vtensor<[2,12],f32>
}

// CHECK-LABEL: func.func @negative(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<6x4xf32>
func.func @negative(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[6,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Flatten"(%arg0) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[6,4],f32>
  return %r1 : !torch.vtensor<[6,4],f32>
}

// CHECK-LABEL: func.func @all(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [6, 1] : (tensor<2x3xf32>) -> tensor<6x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<6x1xf32>
func.func @all(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[6,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Flatten"(%arg0) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[6,1],f32>
  return %r1 : !torch.vtensor<[6,1],f32>
}

// CHECK-LABEL: func.func @none(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 6] : (tensor<2x3xf32>) -> tensor<1x6xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x6xf32>
func.func @none(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,6],f32> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %r1 = torch.operator "onnx.Flatten"(%arg0) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,6],f32>
  return %r1 : !torch.vtensor<[1,6],f32>
}

// CHECK-LABEL: func.func @rank_0(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 1] : (tensor<f32>) -> tensor<1x1xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x1xf32>
func.func @rank_0(%arg0: !torch.vtensor<[],f32>) -> !torch.vtensor<[1,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Flatten"(%arg0) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[],f32>) -> !torch.vtensor<[1,1],f32>
  return %r1 : !torch.vtensor<[1,1],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @two_axes(
// CHECK: %[[V0:.+]] = forge.reduce_max %arg0 dim -1 keep_dim : (tensor<1x2x8x9xf32>) -> tensor<1x2x8x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reduce_max %[[V0]] dim -2 keep_dim : (tensor<1x2x8x1xf32>) -> tensor<1x2x1x1xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1x2x1x1xf32>
func.func @two_axes(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,1,1],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.GlobalMaxPool"(%arg0) : (!torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,1,1],f32>
  return %r1 : !torch.vtensor<[1,2,1,1],f32>
}

// CHECK-LABEL: func.func @three_axes(
// CHECK: %[[V0:.+]] = forge.reduce_max %arg0 dim -1 keep_dim : (tensor<1x2x3x4x5xf32>) -> tensor<1x2x3x4x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reduce_max %[[V0]] dim -2 keep_dim : (tensor<1x2x3x4x1xf32>) -> tensor<1x2x3x1x1xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reduce_max %[[V1]] dim -3 keep_dim : (tensor<1x2x3x1x1xf32>) -> tensor<1x2x1x1x1xf32>
// CHECK-NEXT: return %[[V2]] : tensor<1x2x1x1x1xf32>
func.func @three_axes(%arg0: !torch.vtensor<[1,2,3,4,5],f32>) -> !torch.vtensor<[1,2,1,1,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r1 = torch.operator "onnx.GlobalMaxPool"(%arg0) : (!torch.vtensor<[1,2,3,4,5],f32>) -> !torch.vtensor<[1,2,1,1,1],f32>
  return %r1 : !torch.vtensor<[1,2,1,1,1],f32>
}

// CHECK-LABEL: func.func @no_axes(
// CHECK: return %arg0 : tensor<1x2xf32>
func.func @no_axes(%arg0: !torch.vtensor<[1,2],f32>) -> !torch.vtensor<[1,2],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r1 = torch.operator "onnx.GlobalMaxPool"(%arg0) : (!torch.vtensor<[1,2],f32>) -> !torch.vtensor<[1,2],f32>
  return %r1 : !torch.vtensor<[1,2],f32>
}

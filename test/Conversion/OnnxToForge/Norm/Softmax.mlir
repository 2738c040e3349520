// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @last(
// CHECK: %[[V0:.+]] = forge.softmax %arg0 dim -1 stable : tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3x4xf32>
func.func @last(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Softmax"(%arg0) : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// CHECK-LABEL: func.func @axis(
// CHECK: %[[V0:.+]] = forge.softmax %arg0 dim -2 stable : tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3x4xf32>
func.func @axis(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Softmax"(%arg0) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// Before opset 13, the axes from `axis` on are flattened to one.
// CHECK-LABEL: func.func @flattened(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [2, 12] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.softmax %[[V0]] dim -1 stable : tensor<2x12xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %[[V1]] shape [2, 3, 4] : (tensor<2x12xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3x4xf32>
func.func @flattened(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Softmax"(%arg0) : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// CHECK-LABEL: func.func @flattened_last(
// CHECK: %[[V0:.+]] = forge.softmax %arg0 dim -1 stable : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @flattened_last(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Softmax"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @rows_of_one(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [6, 1] : (tensor<2x3xf32>) -> tensor<6x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.softmax %[[V0]] dim -1 stable : tensor<6x1xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %[[V1]] shape [2, 3] : (tensor<6x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3xf32>
func.func @rows_of_one(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Softmax"(%arg0) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

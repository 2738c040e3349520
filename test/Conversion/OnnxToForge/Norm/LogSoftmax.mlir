// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// forge.log_softmax is not used: on the device it is the logarithm of a softmax, which is -infinity where the softmax
// underflows.
// CHECK-LABEL: func.func @last(
// CHECK: %[[MAX:.+]] = forge.reduce_max %arg0 dim -1 keep_dim
// CHECK-NEXT: %[[SHIFTED:.+]] = forge.subtract %arg0, %[[MAX]]
// CHECK-NEXT: %[[EXP:.+]] = forge.exp %[[SHIFTED]]
// CHECK-NEXT: %[[SUM:.+]] = forge.reduce_sum %[[EXP]] dim -1 keep_dim
// CHECK-NEXT: %[[LOG:.+]] = forge.log %[[SUM]]
// CHECK-NEXT: %[[RESULT:.+]] = forge.subtract %[[SHIFTED]], %[[LOG]] : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[RESULT]]
func.func @last(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.LogSoftmax"(%arg0) : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// CHECK-LABEL: func.func @axis(
// CHECK: forge.reduce_max %arg0 dim -2 keep_dim
// CHECK: forge.reduce_sum {{.*}} dim -2 keep_dim
func.func @axis(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.LogSoftmax"(%arg0) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// Before opset 13, the axes from `axis` on are flattened to one.
// CHECK-LABEL: func.func @flattened(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [2, 12] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: forge.reduce_max %[[V0]] dim -1 keep_dim : (tensor<2x12xf32>) -> tensor<2x1xf32>
// CHECK: forge.log
// CHECK-NEXT: %[[V1:.+]] = forge.subtract {{.*}} : (tensor<2x12xf32>, tensor<2x1xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %[[V1]] shape [2, 3, 4] : (tensor<2x12xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3x4xf32>
func.func @flattened(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.LogSoftmax"(%arg0) : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// CHECK-LABEL: func.func @flattened_last(
// CHECK-NEXT: forge.reduce_max %arg0 dim -1 keep_dim
// CHECK-NOT: forge.reshape
// CHECK: return
func.func @flattened_last(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.LogSoftmax"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @rows_of_one(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [6, 1] : (tensor<2x3xf32>) -> tensor<6x1xf32>
// CHECK-NEXT: forge.reduce_max %[[V0]] dim -1 keep_dim
// CHECK: forge.reshape {{.*}} shape [2, 3] : (tensor<6x1xf32>) -> tensor<2x3xf32>
func.func @rows_of_one(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.LogSoftmax"(%arg0) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// A single cast rounds the result.
// CHECK-LABEL: func.func @bfloat16(
// CHECK-NEXT: %[[WIDE:.+]] = forge.cast %arg0 dtype f32
// CHECK-NEXT: forge.reduce_max %[[WIDE]]
// CHECK: forge.cast {{.*}} dtype bf16
// CHECK-NEXT: return
func.func @bfloat16(%arg0: !torch.vtensor<[2,3],bf16>) -> !torch.vtensor<[2,3],bf16> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %0 = torch.operator "onnx.LogSoftmax"(%arg0) : (!torch.vtensor<[2,3],bf16>) -> !torch.vtensor<[2,3],bf16>
  return %0 : !torch.vtensor<[2,3],bf16>
}

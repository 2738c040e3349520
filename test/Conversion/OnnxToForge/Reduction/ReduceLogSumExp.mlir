// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.reduce_max %{{.*}} dim -1 keep_dim : {{.*}}tensor<2x3x1xf32> loc
// CHECK: %[[V1:.*]] = forge.reduce_max %[[V0]] dim -3 keep_dim : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V2:.*]] = forge.abs %[[V1]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<0x7F800000> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.less %[[V2]], %[[C3]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V5:.*]] = forge.cast %[[V4]] dtype i1 : {{.*}}tensor<1x3x1xi1> loc
// CHECK: %[[C6:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V7:.*]] = forge.where %[[V5]], %[[V1]], %[[C6]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V8:.*]] = forge.subtract %{{.*}}, %[[V7]] : {{.*}}tensor<2x3x4xf32> loc
// CHECK: %[[V9:.*]] = forge.exp %[[V8]] : {{.*}}tensor<2x3x4xf32> loc
// CHECK: %[[V10:.*]] = forge.reduce_sum %[[V9]] dim -1 keep_dim : {{.*}}tensor<2x3x1xf32> loc
// CHECK: %[[V11:.*]] = forge.reduce_sum %[[V10]] dim -3 keep_dim : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V12:.*]] = forge.log %[[V11]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V13:.*]] = forge.add %[[V12]], %[[V1]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: return %[[V13]] : tensor<1x3x1xf32>
func.func @f0(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ReduceLogSumExp"(%x0) {torch.onnx.axes = [0 : si64, -1 : si64]} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32>
  return %y : !torch.vtensor<[1,3,1],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.reduce_max %{{.*}} dim -2 keep_dim : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V1:.*]] = forge.abs %[[V0]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<0x7F800000> : tensor<f32>
// CHECK: %[[V3:.*]] = forge.less %[[V1]], %[[C2]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V4:.*]] = forge.cast %[[V3]] dtype i1 : {{.*}}tensor<2x1x4xi1> loc
// CHECK: %[[C5:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V6:.*]] = forge.where %[[V4]], %[[V0]], %[[C5]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V7:.*]] = forge.subtract %{{.*}}, %[[V6]] : {{.*}}tensor<2x3x4xf32> loc
// CHECK: %[[V8:.*]] = forge.exp %[[V7]] : {{.*}}tensor<2x3x4xf32> loc
// CHECK: %[[V9:.*]] = forge.reduce_sum %[[V8]] dim -2 keep_dim : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V10:.*]] = forge.log %[[V9]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V11:.*]] = forge.add %[[V10]], %[[V0]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V12:.*]] = forge.reshape %[[V11]] shape [2, 4] : {{.*}}tensor<2x4xf32> loc
// CHECK: return %[[V12]] : tensor<2x4xf32>
func.func @f1(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %y = torch.operator "onnx.ReduceLogSumExp"(%x0) {torch.onnx.axes = [1 : si64], torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.multiply %{{.*}}, %[[C0]] : {{.*}}tensor<2x3x4xf32> loc
// CHECK: %[[V2:.*]] = forge.reduce_max %[[V1]] dim -1 keep_dim : {{.*}}tensor<2x3x1xf32> loc
// CHECK: %[[V3:.*]] = forge.reduce_max %[[V2]] dim -3 keep_dim : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[C4:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V5:.*]] = forge.multiply %[[V3]], %[[C4]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: return %[[V5]] : tensor<1x3x1xf32>
func.func @f0(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ReduceMin"(%x0) {torch.onnx.axes = [0 : si64, -1 : si64]} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32>
  return %y : !torch.vtensor<[1,3,1],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[C0:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.multiply %{{.*}}, %[[C0]] : {{.*}}tensor<2x3x4xf32> loc
// CHECK: %[[V2:.*]] = forge.reduce_max %[[V1]] dim -2 keep_dim : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.multiply %[[V2]], %[[C3]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V5:.*]] = forge.reshape %[[V4]] shape [2, 4] : {{.*}}tensor<2x4xf32> loc
// CHECK: return %[[V5]] : tensor<2x4xf32>
func.func @f1(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %y = torch.operator "onnx.ReduceMin"(%x0) {torch.onnx.axes = [1 : si64], torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

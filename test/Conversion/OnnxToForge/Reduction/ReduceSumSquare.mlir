// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.multiply %{{.*}}, %{{.*}} : {{.*}}tensor<2x3x4xf32> loc
// CHECK: %[[V1:.*]] = forge.reduce_sum %[[V0]] dim -1 keep_dim : {{.*}}tensor<2x3x1xf32> loc
// CHECK: %[[V2:.*]] = forge.reduce_sum %[[V1]] dim -3 keep_dim : {{.*}}tensor<1x3x1xf32> loc
// CHECK: return %[[V2]] : tensor<1x3x1xf32>
func.func @f0(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ReduceSumSquare"(%x0) {torch.onnx.axes = [0 : si64, -1 : si64]} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32>
  return %y : !torch.vtensor<[1,3,1],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.multiply %{{.*}}, %{{.*}} : {{.*}}tensor<2x3x4xf32> loc
// CHECK: %[[V1:.*]] = forge.reduce_sum %[[V0]] dim -2 keep_dim : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V2:.*]] = forge.reshape %[[V1]] shape [2, 4] : {{.*}}tensor<2x4xf32> loc
// CHECK: return %[[V2]] : tensor<2x4xf32>
func.func @f1(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %y = torch.operator "onnx.ReduceSumSquare"(%x0) {torch.onnx.axes = [1 : si64], torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

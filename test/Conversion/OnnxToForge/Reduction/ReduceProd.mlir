// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.strided_slice %{{.*}} dim 0 [1:2] : {{.*}}tensor<1x3x4xf32> loc
// CHECK: %[[V1:.*]] = forge.strided_slice %{{.*}} dim 0 [0:1] : {{.*}}tensor<1x3x4xf32> loc
// CHECK: %[[V2:.*]] = forge.multiply %[[V1]], %[[V0]] : {{.*}}tensor<1x3x4xf32> loc
// CHECK: %[[V3:.*]] = forge.strided_slice %[[V2]] dim 2 [2:4] : {{.*}}tensor<1x3x2xf32> loc
// CHECK: %[[V4:.*]] = forge.strided_slice %[[V2]] dim 2 [0:2] : {{.*}}tensor<1x3x2xf32> loc
// CHECK: %[[V5:.*]] = forge.multiply %[[V4]], %[[V3]] : {{.*}}tensor<1x3x2xf32> loc
// CHECK: %[[V6:.*]] = forge.strided_slice %[[V5]] dim 2 [1:2] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V7:.*]] = forge.strided_slice %[[V5]] dim 2 [0:1] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V8:.*]] = forge.multiply %[[V7]], %[[V6]] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: return %[[V8]] : tensor<1x3x1xf32>
func.func @f0(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ReduceProd"(%x0) {torch.onnx.axes = [0 : si64, -1 : si64]} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,1],f32>
  return %y : !torch.vtensor<[1,3,1],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.strided_slice %{{.*}} dim 1 [1:2] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V1:.*]] = forge.strided_slice %{{.*}} dim 1 [0:1] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V2:.*]] = forge.multiply %[[V1]], %[[V0]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V3:.*]] = forge.strided_slice %{{.*}} dim 1 [2:3] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V4:.*]] = forge.concatenate %[[V2]], %[[V3]] axis -2 {{.*}} -> tensor<2x2x4xf32>
// CHECK: %[[V5:.*]] = forge.strided_slice %[[V4]] dim 1 [1:2] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V6:.*]] = forge.strided_slice %[[V4]] dim 1 [0:1] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V7:.*]] = forge.multiply %[[V6]], %[[V5]] : {{.*}}tensor<2x1x4xf32> loc
// CHECK: %[[V8:.*]] = forge.reshape %[[V7]] shape [2, 4] : {{.*}}tensor<2x4xf32> loc
// CHECK: return %[[V8]] : tensor<2x4xf32>
func.func @f1(%x0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %y = torch.operator "onnx.ReduceProd"(%x0) {torch.onnx.axes = [1 : si64], torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

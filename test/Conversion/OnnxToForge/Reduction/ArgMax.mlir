// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.argmax %{{.*}} dim -1 keep_dim : {{.*}}tensor<2x1xi32> loc
// CHECK: %[[V1:.*]] = forge.cast %[[V0]] dtype i64 : {{.*}}tensor<2x1xi64> loc
// CHECK: return %[[V1]] : tensor<2x1xi64>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ArgMax"(%x0) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],si64>
  return %y : !torch.vtensor<[2,1],si64>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.strided_slice %{{.*}} dim 1 [-1:-9223372036854775808:-1] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V1:.*]] = forge.argmax %[[V0]] dim -1 keep_dim : {{.*}}tensor<2x1xi32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<2> : tensor<i32>
// CHECK: %[[V3:.*]] = forge.subtract %[[C2]], %[[V1]] : {{.*}}tensor<2x1xi32> loc
// CHECK: %[[V4:.*]] = forge.reshape %[[V3]] shape [2] : {{.*}}tensor<2xi32> loc
// CHECK: %[[V5:.*]] = forge.cast %[[V4]] dtype i64 : {{.*}}tensor<2xi64> loc
// CHECK: return %[[V5]] : tensor<2xi64>
func.func @f1(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ArgMax"(%x0) {torch.onnx.axis = 1 : si64, torch.onnx.select_last_index = 1 : si64, torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2],si64>
  return %y : !torch.vtensor<[2],si64>
}

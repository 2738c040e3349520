// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @inclusive(
// CHECK: %[[C0:.*]] = forge.constant dense<1> : tensor<i64>
// CHECK: %[[V1:.*]] = forge.cum_sum %{{.*}} {dim = -1 : i64} {{.*}} -> tensor<2x4xf32>
// CHECK: return %[[V1]] : tensor<2x4xf32>
func.func @inclusive(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %axis = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %y = torch.operator "onnx.CumSum"(%x, %axis) {} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @exclusive_reverse(
// CHECK: %[[C0:.*]] = forge.constant dense<1> : tensor<i64>
// CHECK: %[[V1:.*]] = forge.strided_slice %{{.*}} {axes = array<i64: 1>, begin = array<i64: -1>, end = array<i64: -9223372036854775808>, strides = array<i64: -1>} {{.*}} -> tensor<2x4xf32>
// CHECK: %[[C2:.*]] = forge.constant dense<0.000000e+00> : tensor<2x1xf32>
// CHECK: %[[V3:.*]] = forge.strided_slice %[[V1]] {axes = array<i64: 1>, begin = array<i64: 0>, end = array<i64: 3>, strides = array<i64: 1>} {{.*}} -> tensor<2x3xf32>
// CHECK: %[[V4:.*]] = forge.concatenate %[[C2]], %[[V3]] {axis = -1 : i64} {{.*}} -> tensor<2x4xf32>
// CHECK: %[[V5:.*]] = forge.cum_sum %[[V4]] {dim = -1 : i64} {{.*}} -> tensor<2x4xf32>
// CHECK: %[[V6:.*]] = forge.strided_slice %[[V5]] {axes = array<i64: 1>, begin = array<i64: -1>, end = array<i64: -9223372036854775808>, strides = array<i64: -1>} {{.*}} -> tensor<2x4xf32>
// CHECK: return %[[V6]] : tensor<2x4xf32>
func.func @exclusive_reverse(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %axis = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %y = torch.operator "onnx.CumSum"(%x, %axis) {torch.onnx.exclusive = 1 : si64, torch.onnx.reverse = 1 : si64} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

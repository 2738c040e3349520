// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @inclusive(
// CHECK: %[[V0:.+]] = forge.cum_sum %arg0 dim -1 : tensor<2x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x4xf32>
func.func @inclusive(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %axis = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %y = torch.operator "onnx.CumSum"(%x, %axis) {} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @exclusive_reverse(
// CHECK-DAG: %[[V0:.+]] = forge.strided_slice %arg0 dim 1 [-1:-9223372036854775808:-1] : tensor<2x4xf32>
// CHECK-DAG: %[[V1:.+]] = forge.constant dense<0.000000e+00> : tensor<2x1xf32>
// CHECK-DAG: %[[V2:.+]] = forge.strided_slice %[[V0]] dim 1 [0:3] : (tensor<2x4xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[V3:.+]] = forge.concatenate %[[V1]], %[[V2]] axis -1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.cum_sum %[[V3]] dim -1 : tensor<2x4xf32>
// CHECK-DAG: %[[V5:.+]] = forge.strided_slice %[[V4]] dim 1 [-1:-9223372036854775808:-1] : tensor<2x4xf32>
// CHECK: return %[[V5]] : tensor<2x4xf32>
func.func @exclusive_reverse(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %axis = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %y = torch.operator "onnx.CumSum"(%x, %axis) {torch.onnx.exclusive = 1 : si64, torch.onnx.reverse = 1 : si64} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

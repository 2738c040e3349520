// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @inclusive(
// CHECK-DAG: %[[V0:.+]] = forge.constant dense<1.000000e+00> : tensor<2x1xf32>
// CHECK-DAG: %[[V1:.+]] = forge.strided_slice %arg0 dim 1 [0:3] : (tensor<2x4xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[V2:.+]] = forge.concatenate %[[V0]], %[[V1]] axis -1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.multiply %arg0, %[[V2]] : tensor<2x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.constant dense<1.000000e+00> : tensor<2x2xf32>
// CHECK-DAG: %[[V5:.+]] = forge.strided_slice %[[V3]] dim 1 [0:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
// CHECK-DAG: %[[V6:.+]] = forge.concatenate %[[V4]], %[[V5]] axis -1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.multiply %[[V3]], %[[V6]] : tensor<2x4xf32>
// CHECK: return %[[V7]] : tensor<2x4xf32>
func.func @inclusive(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 26 : si64} {
  %axis = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %y = torch.operator "onnx.CumProd"(%x, %axis) {} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @exclusive_reverse(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 1 [-1:-9223372036854775808:-1] : tensor<2x4xf32>
// CHECK: %[[V1:.+]] = forge.constant dense<1.000000e+00> : tensor<2x1xf32>
// CHECK: %[[V2:.+]] = forge.strided_slice %[[V0]] dim 1 [0:3] : (tensor<2x4xf32>) -> tensor<2x3xf32>
// CHECK: %[[V3:.+]] = forge.concatenate %[[V1]], %[[V2]] axis -1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
// CHECK: %[[V4:.+]] = forge.constant dense<1.000000e+00> : tensor<2x1xf32>
// CHECK: %[[V5:.+]] = forge.strided_slice %[[V3]] dim 1 [0:3] : (tensor<2x4xf32>) -> tensor<2x3xf32>
// CHECK: %[[V6:.+]] = forge.concatenate %[[V4]], %[[V5]] axis -1 : (tensor<2x1xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
// CHECK: %[[V7:.+]] = forge.multiply %[[V3]], %[[V6]] : tensor<2x4xf32>
// CHECK: %[[V8:.+]] = forge.constant dense<1.000000e+00> : tensor<2x2xf32>
// CHECK: %[[V9:.+]] = forge.strided_slice %[[V7]] dim 1 [0:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
// CHECK: %[[V10:.+]] = forge.concatenate %[[V8]], %[[V9]] axis -1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
// CHECK: %[[V11:.+]] = forge.multiply %[[V7]], %[[V10]] : tensor<2x4xf32>
// CHECK: %[[V12:.+]] = forge.strided_slice %[[V11]] dim 1 [-1:-9223372036854775808:-1] : tensor<2x4xf32>
// CHECK-NEXT: return %[[V12]] : tensor<2x4xf32>
func.func @exclusive_reverse(%x: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 26 : si64} {
  %axis = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %y = torch.operator "onnx.CumProd"(%x, %axis) {torch.onnx.exclusive = 1 : si64, torch.onnx.reverse = 1 : si64} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2,4],f32>
  return %y : !torch.vtensor<[2,4],f32>
}

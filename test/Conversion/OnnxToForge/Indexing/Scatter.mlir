// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Scatter is the old name of ScatterElements. With constant indices, the result is gathered from the operand and the
// updates.
// CHECK-LABEL: func.func @constant_indices(
// CHECK-DAG: %[[V0:.+]] = forge.strided_slice %arg1 dim 0 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
// CHECK-DAG: %[[V1:.+]] = forge.strided_slice %arg1 dim 0 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
// CHECK-DAG: %[[V2:.+]] = forge.concatenate %[[V0]], %[[V1]] axis -1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
// CHECK-DAG: %[[V3:.+]] = forge.concatenate %arg0, %[[V2]] axis -1 : (tensor<3xf32>, tensor<2xf32>) -> tensor<5xf32>
// CHECK-DAG: %[[V4:.+]] = forge.strided_slice %[[V3]] dim 0 [3:4] : (tensor<5xf32>) -> tensor<1xf32>
// CHECK-DAG: %[[V5:.+]] = forge.strided_slice %[[V3]] dim 0 [1:5:3] : (tensor<5xf32>) -> tensor<2xf32>
// CHECK-DAG: %[[V6:.+]] = forge.concatenate %[[V4]], %[[V5]] axis -1 : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
// CHECK: return %[[V6]] : tensor<3xf32>
func.func @constant_indices(%x: !torch.vtensor<[3],f32>, %u: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %i = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 0]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r = torch.operator "onnx.Scatter"(%x, %i, %u) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[3],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

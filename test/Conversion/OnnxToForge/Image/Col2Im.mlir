// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// Windows that do not overlap are concatenated.
// CHECK-LABEL: func.func @separate_windows(
// CHECK-DAG: %[[V0:.+]] = forge.reshape %arg0 shape [1, 1, 4] : (tensor<1x2x2xf32>) -> tensor<1x1x4xf32>
// CHECK-DAG: %[[V1:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x1xf32>
// CHECK-DAG: %[[V2:.+]] = forge.concatenate %[[V0]], %[[V1]] axis -1 : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x5xf32>
// CHECK-DAG: %[[V3:.+]] = forge.strided_slice %[[V2]] dim 2 [0:3:2] : (tensor<1x1x5xf32>) -> tensor<1x1x2xf32>
// CHECK-DAG: %[[V4:.+]] = forge.strided_slice %[[V2]] dim 2 [1:4:2] : (tensor<1x1x5xf32>) -> tensor<1x1x2xf32>
// CHECK-DAG: %[[V5:.+]] = forge.concatenate %[[V3]], %[[V4]] axis -1 : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
// CHECK-DAG: %[[V6:.+]] = forge.reshape %[[V5]] shape [1, 1, 1, 4] : (tensor<1x1x4xf32>) -> tensor<1x1x1x4xf32>
// CHECK: return %[[V6]] : tensor<1x1x1x4xf32>
func.func @separate_windows(%x: !torch.vtensor<[1,2,2],f32>) -> !torch.vtensor<[1,1,1,4],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %image = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 4]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %block = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r = torch.operator "onnx.Col2Im"(%x, %image, %block) {torch.onnx.strides = [1 : si64, 2 : si64]} : (!torch.vtensor<[1,2,2],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,1,1,4],f32>
  return %r : !torch.vtensor<[1,1,1,4],f32>
}

// The elements of overlapping windows are added.
// CHECK-LABEL: func.func @overlapping(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 1, 4] : (tensor<1x2x2xf32>) -> tensor<1x1x4xf32>
// CHECK: %[[V1:.+]] = forge.constant dense<0.000000e+00> : tensor<1x1x1xf32>
// CHECK: %[[V2:.+]] = forge.concatenate %[[V0]], %[[V1]] axis -1 : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x5xf32>
// CHECK: %[[V3:.+]] = forge.strided_slice %[[V2]] dim 2 [0:2] : (tensor<1x1x5xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V4:.+]] = forge.strided_slice %[[V2]] dim 2 [3:4] : (tensor<1x1x5xf32>) -> tensor<1x1x1xf32>
// CHECK: %[[V5:.+]] = forge.concatenate %[[V3]], %[[V4]] axis -1 : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x3xf32>
// CHECK: %[[V6:.+]] = forge.strided_slice %[[V2]] dim 2 [4:5] : (tensor<1x1x5xf32>) -> tensor<1x1x1xf32>
// CHECK: %[[V7:.+]] = forge.strided_slice %[[V2]] dim 2 [2:5:2] : (tensor<1x1x5xf32>) -> tensor<1x1x2xf32>
// CHECK: %[[V8:.+]] = forge.concatenate %[[V6]], %[[V7]] axis -1 : (tensor<1x1x1xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
// CHECK: %[[V9:.+]] = forge.add %[[V5]], %[[V8]] : tensor<1x1x3xf32>
// CHECK: %[[V10:.+]] = forge.reshape %[[V9]] shape [1, 1, 1, 3] : (tensor<1x1x3xf32>) -> tensor<1x1x1x3xf32>
// CHECK-NEXT: return %[[V10]] : tensor<1x1x1x3xf32>
func.func @overlapping(%x: !torch.vtensor<[1,2,2],f32>) -> !torch.vtensor<[1,1,1,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %image = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %block = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r = torch.operator "onnx.Col2Im"(%x, %image, %block) : (!torch.vtensor<[1,2,2],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,1,1,3],f32>
  return %r : !torch.vtensor<[1,1,1,3],f32>
}

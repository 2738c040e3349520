// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @residual(
// CHECK: forge.conv2d {{.*}}{channel_last = false, dilation = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}{{.*}}-> tensor<1x3x2x2xf32>
// CHECK-NEXT: forge.add{{.*}}-> tensor<1x3x2x2xf32>
// CHECK-NEXT: forge.relu{{.*}}-> tensor<1x3x2x2xf32>
func.func @residual(%x0: !torch.vtensor<[1,2,4,4],f32>, %x1: !torch.vtensor<[3,2,3,3],f32>, %x2: !torch.vtensor<[3],f32>, %x3: !torch.vtensor<[1,3,2,2],f32>) -> (!torch.vtensor<[1,3,2,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.FusedConv"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.activation = "Relu"} : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[3,2,3,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1,3,2,2],f32>) -> !torch.vtensor<[1,3,2,2],f32>
  return %out : !torch.vtensor<[1,3,2,2],f32>
}

// CHECK-LABEL: func.func @clip(
// CHECK: forge.conv2d {{.*}}{channel_last = false, dilation = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}{{.*}}-> tensor<1x3x2x2xf32>
// CHECK-NEXT: forge.clip {{.*}}{max = 5.000000e-01 : f32, min = -5.000000e-01 : f32}{{.*}}-> tensor<1x3x2x2xf32>
func.func @clip(%x0: !torch.vtensor<[1,2,4,4],f32>, %x1: !torch.vtensor<[3,2,3,3],f32>) -> (!torch.vtensor<[1,3,2,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.FusedConv"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.activation = "Clip", torch.onnx.activation_params = [-0.5 : f32, 0.5 : f32]} : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[3,2,3,3],f32>) -> !torch.vtensor<[1,3,2,2],f32>
  return %out : !torch.vtensor<[1,3,2,2],f32>
}

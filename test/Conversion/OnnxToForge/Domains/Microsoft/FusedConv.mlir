// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @residual(
// CHECK: forge.conv2d {{.*}} stride [1, 1] padding [0, 0, 0, 0] : {{.*}}-> tensor<1x3x2x2xf32>
// CHECK-NEXT: forge.add{{.*}} tensor<1x3x2x2xf32> loc
// CHECK-NEXT: forge.relu{{.*}} tensor<1x3x2x2xf32> loc
func.func @residual(%x0: !torch.vtensor<[1,2,4,4],f32>, %x1: !torch.vtensor<[3,2,3,3],f32>, %x2: !torch.vtensor<[3],f32>, %x3: !torch.vtensor<[1,3,2,2],f32>) -> (!torch.vtensor<[1,3,2,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.FusedConv"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.activation = "Relu"} : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[3,2,3,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1,3,2,2],f32>) -> !torch.vtensor<[1,3,2,2],f32>
  return %out : !torch.vtensor<[1,3,2,2],f32>
}

// CHECK-LABEL: func.func @clip(
// CHECK: forge.conv2d {{.*}} stride [1, 1] padding [0, 0, 0, 0] : {{.*}}-> tensor<1x3x2x2xf32>
// CHECK-NEXT: forge.clip {{.*}} min -5.000000e-01 max 5.000000e-01 : {{.*}}tensor<1x3x2x2xf32> loc
func.func @clip(%x0: !torch.vtensor<[1,2,4,4],f32>, %x1: !torch.vtensor<[3,2,3,3],f32>) -> (!torch.vtensor<[1,3,2,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.FusedConv"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.activation = "Clip", torch.onnx.activation_params = [-0.5 : f32, 0.5 : f32]} : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[3,2,3,3],f32>) -> !torch.vtensor<[1,3,2,2],f32>
  return %out : !torch.vtensor<[1,3,2,2],f32>
}

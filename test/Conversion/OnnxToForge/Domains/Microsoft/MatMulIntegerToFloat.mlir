// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.cast{{.*}} tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<4x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<3xf32> loc
// CHECK: forge.subtract{{.*}} tensor<4x3xf32> loc
// CHECK: forge.matmul{{.*}}-> tensor<2x3xf32>
// CHECK: forge.cast{{.*}} tensor<2x3xi32> loc
// CHECK: forge.multiply{{.*}} tensor<3xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x3xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x3xf32> loc
// CHECK: forge.add{{.*}} tensor<2x3xf32> loc
func.func @f(%x0: !torch.vtensor<[2,4],ui8>, %x1: !torch.vtensor<[4,3],ui8>, %x2: !torch.vtensor<[],f32>, %x3: !torch.vtensor<[3],f32>, %x4: !torch.vtensor<[],ui8>, %x5: !torch.vtensor<[3],ui8>, %x6: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.MatMulIntegerToFloat"(%x0, %x1, %x2, %x3, %x4, %x5, %x6) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[4,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[3],ui8>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %out : !torch.vtensor<[2,3],f32>
}

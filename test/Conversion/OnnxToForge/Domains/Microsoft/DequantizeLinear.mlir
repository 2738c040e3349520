// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}} tensor<2x1xf32> loc
// CHECK: forge.reshape{{.*}} tensor<2x1xui8> loc
// CHECK: forge.cast{{.*}} tensor<2x3xi32> loc
// CHECK: forge.cast{{.*}} tensor<2x1xi32> loc
// CHECK: forge.subtract{{.*}} tensor<2x3xi32> loc
// CHECK: forge.cast{{.*}} tensor<2x3xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x3xf32> loc
func.func @f(%x0: !torch.vtensor<[2,3],ui8>, %x1: !torch.vtensor<[2],f32>, %x2: !torch.vtensor<[2],ui8>) -> (!torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.DequantizeLinear"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],ui8>) -> !torch.vtensor<[2,3],f32>
  return %out : !torch.vtensor<[2,3],f32>
}

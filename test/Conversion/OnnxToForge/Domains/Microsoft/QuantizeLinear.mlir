// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}} tensor<1x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3xui8> loc
// CHECK: forge.divide{{.*}} tensor<2x3xf32> loc
// CHECK: forge.equal{{.*}} tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x3xi1> loc
// CHECK: forge.constant dense<0xFF800000>{{.*}} tensor<f32>
// CHECK: forge.where{{.*}} tensor<2x3xf32> loc
// CHECK: forge.clip {{.*}} min -2.621440e+05 max 2.621440e+05 : {{.*}}tensor<2x3xf32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x3xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<1x3xf32> loc
// CHECK: forge.add{{.*}} tensor<2x3xf32> loc
// CHECK: forge.clip {{.*}} min 0.000000e+00 max 2.550000e+02 : {{.*}}tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x3xui8> loc
func.func @f(%x0: !torch.vtensor<[2,3],f32>, %x1: !torch.vtensor<[3],f32>, %x2: !torch.vtensor<[3],ui8>) -> (!torch.vtensor<[2,3],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.QuantizeLinear"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],ui8>) -> !torch.vtensor<[2,3],ui8>
  return %out : !torch.vtensor<[2,3],ui8>
}

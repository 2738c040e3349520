// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.cast{{.*}} tensor<2x4xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x4xf32> loc
// CHECK: forge.divide{{.*}} tensor<2x4xf32> loc
// CHECK: forge.clip {{.*}} min -2.621440e+05 max 2.621440e+05 : {{.*}}tensor<2x4xf32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x4xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.add{{.*}} tensor<2x4xf32> loc
// CHECK: forge.clip {{.*}} min 0.000000e+00 max 2.550000e+02 : {{.*}}tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x4xui8> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.cast{{.*}} tensor<2x4xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x4xf32> loc
// CHECK: forge.divide{{.*}} tensor<2x4xf32> loc
// CHECK: forge.clip {{.*}} min -2.621440e+05 max 2.621440e+05 : {{.*}}tensor<2x4xf32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x4xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.add{{.*}} tensor<2x4xf32> loc
// CHECK: forge.clip {{.*}} min 0.000000e+00 max 2.550000e+02 : {{.*}}tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x4xui8> loc
// CHECK: forge.concatenate{{.*}} tensor<4x4xui8> loc
func.func @f(%x0: !torch.vtensor<[],f32>, %x1: !torch.vtensor<[],ui8>, %x2: !torch.vtensor<[2,4],ui8>, %x3: !torch.vtensor<[],f32>, %x4: !torch.vtensor<[],ui8>, %x5: !torch.vtensor<[2,4],ui8>, %x6: !torch.vtensor<[],f32>, %x7: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[4,4],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.QLinearConcat"(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.axis = 0 : si64} : (!torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[4,4],ui8>
  return %out : !torch.vtensor<[4,4],ui8>
}

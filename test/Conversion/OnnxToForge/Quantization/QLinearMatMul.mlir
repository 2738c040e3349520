// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.cast{{.*}} tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.subtract{{.*}} tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<3x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.subtract{{.*}} tensor<3x4xf32> loc
// CHECK: forge.matmul{{.*}} tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x4xi32> loc
// CHECK: forge.multiply{{.*}} tensor<f32> loc
// CHECK: forge.divide{{.*}} tensor<f32> loc
// CHECK: forge.cast{{.*}} tensor<2x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x4xf32> loc
// CHECK: forge.clip {{.*}} min -2.621440e+05 max 2.621440e+05 : {{.*}}tensor<2x4xf32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x4xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.add{{.*}} tensor<2x4xf32> loc
// CHECK: forge.clip {{.*}} min 0.000000e+00 max 2.550000e+02 : {{.*}}tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x4xui8> loc
func.func @f(%a: !torch.vtensor<[2,3],ui8>, %sa: !torch.vtensor<[],f32>, %za: !torch.vtensor<[],ui8>, %b: !torch.vtensor<[3,4],ui8>, %sb: !torch.vtensor<[],f32>, %zb: !torch.vtensor<[],ui8>, %sy: !torch.vtensor<[],f32>, %zy: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[2,4],ui8>) attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %out = torch.operator "onnx.QLinearMatMul"(%a, %sa, %za, %b, %sb, %zb, %sy, %zy) : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[3,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %out : !torch.vtensor<[2,4],ui8>
}

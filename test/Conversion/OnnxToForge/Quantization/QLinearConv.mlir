// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.cast{{.*}} tensor<1x1x3x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.subtract{{.*}} tensor<1x1x3x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.subtract{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.conv2d{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.cast{{.*}} tensor<1x1x2x2xi32> loc
// CHECK: forge.reshape{{.*}} tensor<i32> loc
// CHECK: forge.add{{.*}} tensor<1x1x2x2xi32> loc
// CHECK: forge.multiply{{.*}} tensor<f32> loc
// CHECK: forge.divide{{.*}} tensor<f32> loc
// CHECK: forge.cast{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.clip {{.*}} min -2.621440e+05 max 2.621440e+05 : {{.*}}tensor<1x1x2x2xf32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.add{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.subtract{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.add{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.clip {{.*}} min 0.000000e+00 max 2.550000e+02 : {{.*}}tensor<1x1x2x2xf32> loc
// CHECK: forge.cast{{.*}} tensor<1x1x2x2xui8> loc
func.func @f(%x: !torch.vtensor<[1,1,3,3],ui8>, %sx: !torch.vtensor<[],f32>, %zx: !torch.vtensor<[],ui8>, %w: !torch.vtensor<[1,1,2,2],ui8>, %sw: !torch.vtensor<[],f32>, %zw: !torch.vtensor<[],ui8>, %sy: !torch.vtensor<[],f32>, %zy: !torch.vtensor<[],ui8>, %c: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,1,2,2],ui8>) attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %out = torch.operator "onnx.QLinearConv"(%x, %sx, %zx, %w, %sw, %zw, %sy, %zy, %c) : (!torch.vtensor<[1,1,3,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[1,1,2,2],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[1,1,2,2],ui8>
  return %out : !torch.vtensor<[1,1,2,2],ui8>
}

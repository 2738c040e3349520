// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}} tensor<8xf32> loc
// CHECK: forge.constant dense<0.000000e+00>{{.*}} tensor<f32>
// CHECK: forge.constant dense<-1.000000e+00>{{.*}} tensor<f32>
// CHECK: forge.reduce_max{{.*}} tensor<f32> loc
// CHECK: forge.max{{.*}} tensor<f32> loc
// CHECK: forge.multiply{{.*}} tensor<8xf32> loc
// CHECK: forge.reduce_max{{.*}} tensor<f32> loc
// CHECK: forge.multiply{{.*}} tensor<f32> loc
// CHECK: forge.min{{.*}} tensor<f32> loc
// CHECK: forge.subtract{{.*}} tensor<f32> loc
// CHECK: forge.constant dense<2.550000e+02>{{.*}} tensor<f32>
// CHECK: forge.divide{{.*}} tensor<f32> loc
// CHECK: forge.constant dense<1.000000e+00>{{.*}} tensor<f32>
// CHECK: forge.equal{{.*}} tensor<f32> loc
// CHECK: forge.cast{{.*}} tensor<i1> loc
// CHECK: forge.where{{.*}} tensor<f32> loc
// CHECK: forge.subtract{{.*}} tensor<f32> loc
// CHECK: forge.divide{{.*}} tensor<f32> loc
// CHECK: forge.clip {{.*}} min 0.000000e+00 max 2.550000e+02 : {{.*}}tensor<f32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.add{{.*}} tensor<f32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.subtract{{.*}} tensor<f32> loc
// CHECK: forge.cast{{.*}} tensor<ui8> loc
// CHECK: forge.divide{{.*}} tensor<2x4xf32> loc
// CHECK: forge.clip {{.*}} min -2.621440e+05 max 2.621440e+05 : {{.*}}tensor<2x4xf32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x4xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.add{{.*}} tensor<2x4xf32> loc
// CHECK: forge.clip {{.*}} min 0.000000e+00 max 2.550000e+02 : {{.*}}tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x4xui8> loc
// CHECK: forge.cast{{.*}} tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<4x3xf32> loc
// CHECK: forge.matmul{{.*}} tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x3xi32> loc
// CHECK: forge.multiply{{.*}} tensor<f32> loc
// CHECK: forge.cast{{.*}} tensor<2x3xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x3xf32> loc
func.func @f(%x0: !torch.vtensor<[2,4],f32>, %x1: !torch.vtensor<[4,3],ui8>, %x2: !torch.vtensor<[],f32>) -> (!torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.DynamicQuantizeMatMul"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4,3],ui8>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32>
  return %out : !torch.vtensor<[2,3],f32>
}

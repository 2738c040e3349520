// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}} tensor<6xf32> loc
// CHECK: forge.constant dense<0.000000e+00>{{.*}} tensor<f32>
// CHECK: forge.constant dense<-1.000000e+00>{{.*}} tensor<f32>
// CHECK: forge.reduce_max{{.*}} tensor<f32> loc
// CHECK: forge.max{{.*}} tensor<f32> loc
// CHECK: forge.multiply{{.*}} tensor<6xf32> loc
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
// CHECK: forge.divide{{.*}} tensor<2x3xf32> loc
// CHECK: forge.clip {{.*}} min -2.621440e+05 max 2.621440e+05 : {{.*}}tensor<2x3xf32> loc
// CHECK: forge.constant dense<0x4B400000>{{.*}} tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x3xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.add{{.*}} tensor<2x3xf32> loc
// CHECK: forge.clip {{.*}} min 0.000000e+00 max 2.550000e+02 : {{.*}}tensor<2x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x3xui8> loc
func.func @f(%x: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %out:3 = torch.operator "onnx.DynamicQuantizeLinear"(%x) : (!torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[2,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>
}

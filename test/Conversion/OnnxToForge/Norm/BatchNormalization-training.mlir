// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @training(
// CHECK: forge.reduce_avg {{.*}} dim -2 keep_dim : {{.*}}tensor<1x3xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x3xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x3xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -2 keep_dim : {{.*}}tensor<1x3xf32> loc
// CHECK: forge.constant dense<9.99999974E-6>{{.*}}  tensor<f32>
// CHECK: forge.add{{.*}} tensor<1x3xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<1x3xf32> loc
// CHECK: forge.divide{{.*}} tensor<2x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x3xf32> loc
// CHECK: forge.add{{.*}} tensor<2x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<3xf32> loc
// CHECK: forge.constant dense<1.000000e-01>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<3xf32> loc
// CHECK: forge.constant dense<0.899999976>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<3xf32> loc
// CHECK: forge.add{{.*}} tensor<3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<3xf32> loc
// CHECK: forge.constant dense<1.000000e-01>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<3xf32> loc
// CHECK: forge.constant dense<0.899999976>{{.*}}  tensor<f32>
// CHECK: forge.multiply{{.*}} tensor<3xf32> loc
// CHECK: forge.add{{.*}} tensor<3xf32> loc
func.func @training(%x: !torch.vtensor<[2,3],f32>, %s: !torch.vtensor<[3],f32>, %c: !torch.vtensor<[3],f32>, %m: !torch.vtensor<[3],f32>, %v: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %out:3 = torch.operator "onnx.BatchNormalization"(%x, %s, %c, %m, %v) {torch.onnx.training_mode = 1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
}

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

// A scale that is given in f32 may be too large for f16, and so may the variance of the batch.
// CHECK-LABEL: func.func @mixed_types(
// CHECK: %[[X:.+]] = forge.cast %arg0 dtype f32
// CHECK: forge.reduce_avg %[[X]] {{.*}}tensor<1x3xf32> loc
// CHECK: forge.subtract
// CHECK: forge.multiply
// CHECK: forge.reduce_avg
// CHECK: forge.constant
// CHECK: forge.add
// CHECK: forge.sqrt
// CHECK: %[[NORMAL:.+]] = forge.divide {{.*}}tensor<2x3xf32> loc
// CHECK: %[[BIAS:.+]] = forge.reshape %arg2 {{.*}}tensor<1x3xf32> loc
// CHECK: %[[SCALE:.+]] = forge.reshape %arg1 {{.*}}tensor<1x3xf32> loc
// CHECK: %[[SCALED:.+]] = forge.multiply %[[NORMAL]], %[[SCALE]]
// CHECK: %[[SHIFTED:.+]] = forge.add %[[SCALED]], %[[BIAS]]
// CHECK: %[[Y:.+]] = forge.cast %[[SHIFTED]] dtype f16
// CHECK: forge.reshape {{.*}}tensor<3xf32> loc
// CHECK: forge.cast %arg3 dtype f32
// CHECK: forge.constant
// CHECK: forge.multiply
// CHECK: forge.constant
// CHECK: forge.multiply
// CHECK: %[[SUM:.+]] = forge.add {{.*}}tensor<3xf32> loc
// CHECK: %[[MEAN:.+]] = forge.cast %[[SUM]] dtype f16
// CHECK: forge.reshape {{.*}}tensor<3xf32> loc
// CHECK: forge.cast %arg4 dtype f32
// CHECK: forge.constant
// CHECK: forge.multiply
// CHECK: forge.constant
// CHECK: forge.multiply
// CHECK: %[[SUM:.+]] = forge.add {{.*}}tensor<3xf32> loc
// CHECK: %[[VARIANCE:.+]] = forge.cast %[[SUM]] dtype f16
// CHECK: return %[[Y]], %[[MEAN]], %[[VARIANCE]]
func.func @mixed_types(%x: !torch.vtensor<[2,3],f16>, %s: !torch.vtensor<[3],f32>, %c: !torch.vtensor<[3],f32>, %m: !torch.vtensor<[3],f16>, %v: !torch.vtensor<[3],f16>) -> (!torch.vtensor<[2,3],f16>, !torch.vtensor<[3],f16>, !torch.vtensor<[3],f16>) attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %out:3 = torch.operator "onnx.BatchNormalization"(%x, %s, %c, %m, %v) {torch.onnx.training_mode = 1 : si64} : (!torch.vtensor<[2,3],f16>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f16>, !torch.vtensor<[3],f16>) -> (!torch.vtensor<[2,3],f16>, !torch.vtensor<[3],f16>, !torch.vtensor<[3],f16>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[2,3],f16>, !torch.vtensor<[3],f16>, !torch.vtensor<[3],f16>
}

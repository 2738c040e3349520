// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// The outputs of mean and inverse standard deviation need separate ops.
// CHECK-LABEL: func.func @statistics(
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<2x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x4xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<2x1xf32> loc
// CHECK: forge.constant dense<9.99999974E-6>{{.*}}  tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x1xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<2x1xf32> loc
// CHECK: forge.divide{{.*}} tensor<2x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x4xf32> loc
// CHECK: forge.constant dense<1.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.divide{{.*}} tensor<2x1xf32> loc
func.func @statistics(%x: !torch.vtensor<[2,4],f32>, %s: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2,1],f32>, !torch.vtensor<[2,1],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %out:3 = torch.operator "onnx.LayerNormalization"(%x, %s) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],f32>) -> (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2,1],f32>, !torch.vtensor<[2,1],f32>)
  return %out#0, %out#1, %out#2 : !torch.vtensor<[2,4],f32>, !torch.vtensor<[2,1],f32>, !torch.vtensor<[2,1],f32>
}

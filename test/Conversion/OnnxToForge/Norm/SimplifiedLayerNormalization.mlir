// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.multiply{{.*}} tensor<2x3x4xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<2x3x1xf32> loc
// CHECK: forge.constant dense<9.99999974E-6>{{.*}}  tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x3x1xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<2x3x1xf32> loc
// CHECK: forge.divide{{.*}} tensor<2x3x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x3x4xf32> loc
// CHECK: forge.constant dense<1.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.divide{{.*}} tensor<2x3x1xf32> loc
func.func @f(%x0: !torch.vtensor<[2,3,4],f32>, %x1: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[2,3,1],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %out:2 = torch.operator "onnx.SimplifiedLayerNormalization"(%x0, %x1) {torch.onnx_meta.domain = ""} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[4],f32>) -> (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[2,3,1],f32>)
  return %out#0, %out#1 : !torch.vtensor<[2,3,4],f32>, !torch.vtensor<[2,3,1],f32>
}

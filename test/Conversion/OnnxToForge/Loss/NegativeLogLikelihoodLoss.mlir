// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @weighted(
// CHECK: forge.constant{{.*}}  tensor<1x3xi64>
// CHECK: forge.reshape{{.*}} tensor<2x1xi64> loc
// CHECK: forge.equal{{.*}} tensor<2x3xi64> loc
// CHECK: forge.cast{{.*}} tensor<2x3xi1> loc
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.constant dense<-1.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.where{{.*}} tensor<2x3xf32> loc
// CHECK: forge.reduce_sum {{.*}} dim -1 : {{.*}}tensor<2xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x3xf32> loc
// CHECK: forge.where{{.*}} tensor<2x3xf32> loc
// CHECK: forge.reduce_sum {{.*}} dim -1 : {{.*}}tensor<2xf32> loc
// CHECK: forge.constant dense<1>{{.*}}  tensor<i64>
// CHECK: forge.equal{{.*}} tensor<2xi64> loc
// CHECK: forge.cast{{.*}} tensor<2xi1> loc
// CHECK: forge.where{{.*}} tensor<2xf32> loc
// CHECK: forge.where{{.*}} tensor<2xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2xf32> loc
// CHECK: forge.reduce_sum {{.*}} dim -1 : {{.*}}tensor<f32> loc
// CHECK: forge.reduce_sum {{.*}} dim -1 : {{.*}}tensor<f32> loc
// CHECK: forge.divide{{.*}} tensor<f32> loc
func.func @weighted(%x: !torch.vtensor<[2,3],f32>, %t: !torch.vtensor<[2],si64>, %w: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %out = torch.operator "onnx.NegativeLogLikelihoodLoss"(%x, %t, %w) {torch.onnx.ignore_index = 1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[],f32>
  return %out : !torch.vtensor<[],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @none(
// CHECK: forge.reduce_max{{.*}} tensor<2x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x3xf32> loc
// CHECK: forge.exp{{.*}} tensor<2x3xf32> loc
// CHECK: forge.reduce_sum{{.*}} tensor<2x1xf32> loc
// CHECK: forge.log{{.*}} tensor<2x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x3xf32> loc
// CHECK: forge.constant{{.*}}  tensor<1x3xi64>
// CHECK: forge.reshape{{.*}} tensor<2x1xi64> loc
// CHECK: forge.equal{{.*}} tensor<2x3xi64> loc
// CHECK: forge.cast{{.*}} tensor<2x3xi1> loc
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.constant dense<-1.000000e+00>{{.*}}  tensor<f32>
// CHECK: forge.where{{.*}} tensor<2x3xf32> loc
// CHECK: forge.reduce_sum {{.*}} dim -1 : {{.*}}tensor<2xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2xf32> loc
func.func @none(%x: !torch.vtensor<[2,3],f32>, %t: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %out:2 = torch.operator "onnx.SoftmaxCrossEntropyLoss"(%x, %t) {torch.onnx.reduction = "none"} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2,3],f32>)
  return %out#0, %out#1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2,3],f32>
}

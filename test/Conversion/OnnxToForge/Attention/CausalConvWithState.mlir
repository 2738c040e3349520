// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<1x2x2xf32>
// CHECK: forge.concatenate {{.*}} axis -1 : {{.*}}-> tensor<1x2x7xf32>
// CHECK: forge.reshape{{.*}} tensor<2x1x1x3xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x1x7xf32> loc
// CHECK: forge.conv2d {{.*}} stride [1, 1] padding [0, 0, 0, 0] groups 2 : {{.*}}-> tensor<1x2x1x5xf32>
// CHECK: forge.reshape{{.*}} tensor<1x2x5xf32> loc
// CHECK: forge.sigmoid{{.*}} tensor<1x2x5xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x5xf32> loc
// CHECK: forge.strided_slice {{.*}} dim 2 [5:7] : {{.*}}tensor<1x2x2xf32> loc
func.func @f(%x: !torch.vtensor<[1,2,5],f32>, %w: !torch.vtensor<[2,1,3],f32>) -> (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,2],f32>) attributes {torch.onnx_meta.opset_version = 27 : si64} {
  %out:2 = torch.operator "onnx.CausalConvWithState"(%x, %w) {torch.onnx.activation = "silu"} : (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[2,1,3],f32>) -> (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,2],f32>)
  return %out#0, %out#1 : !torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,2],f32>
}

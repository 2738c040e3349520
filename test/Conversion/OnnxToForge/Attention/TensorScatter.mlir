// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}}-> tensor<2x1x1xi64>
// CHECK-NEXT: forge.constant dense<[0, 1, 2, 3]>{{.*}}  tensor<4xi64>
// CHECK-NEXT: forge.constant{{.*}}  tensor<1x4x1xi64>
// CHECK-NEXT: forge.constant dense<0>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.add{{.*}}-> tensor<2x1x1xi64>
// CHECK-NEXT: forge.constant dense<4>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.subtract{{.*}}-> tensor<2x1x1xi64>
// CHECK-NEXT: forge.greater_equal{{.*}}-> tensor<2x1x1xi64>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<2x1x1xi1>
// CHECK-NEXT: forge.where{{.*}}-> tensor<2x1x1xi64>
// CHECK-NEXT: forge.equal{{.*}}-> tensor<2x4x1xi64>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<2x4x1xi1>
// CHECK-NEXT: forge.where{{.*}}-> tensor<2x4x3xf32>
func.func @f(%x: !torch.vtensor<[2,4,3],f32>, %u: !torch.vtensor<[2,1,3],f32>, %i: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[2,4,3],f32>) attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %out = torch.operator "onnx.TensorScatter"(%x, %u, %i) {torch.onnx.mode = "circular"} : (!torch.vtensor<[2,4,3],f32>, !torch.vtensor<[2,1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4,3],f32>
  return %out : !torch.vtensor<[2,4,3],f32>
}

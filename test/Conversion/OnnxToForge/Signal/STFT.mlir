// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.constant dense<2>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.constant dense<[0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7]>{{.*}}  tensor<12xi64>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x8xf32>
// CHECK-NEXT: forge.adv_index {{.*}}{dim = -1 : i64}{{.*}}-> tensor<1x12xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x3x4xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x3x4xf32>
// CHECK-NEXT: forge.constant{{.*}}  tensor<4x3xf32>
// CHECK-NEXT: forge.constant{{.*}}  tensor<4x3xf32>
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<1x3x3xf32>
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<1x3x3xf32>
// CHECK-NEXT: forge.constant dense<-1.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x3x3xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x3x3x1xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x3x3x1xf32>
// CHECK-NEXT: forge.concatenate {{.*}}{axis = -1 : i64}{{.*}}-> tensor<1x3x3x2xf32>
func.func @f(%x: !torch.vtensor<[1,8,1],f32>, %w: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,3,3,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %out = torch.operator "onnx.STFT"(%x, %s, %w) : (!torch.vtensor<[1,8,1],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,3,3,2],f32>
  return %out : !torch.vtensor<[1,3,3,2],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}}-> tensor<3xi64>
// CHECK-NEXT: forge.adv_index {{.*}}{dim = -2 : i64}{{.*}}-> tensor<3x2xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x3x2xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x1x3x2xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<3xi64>
// CHECK-NEXT: forge.adv_index {{.*}}{dim = -2 : i64}{{.*}}-> tensor<3x2xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x3x2xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x1x3x2xf32>
// CHECK-NEXT: forge.constant dense<>{{.*}}  tensor<1x2x3x0xf32>
// CHECK-NEXT: forge.strided_slice {{.*}}{axes = array<i64: 3>, begin = array<i64: 0>, end = array<i64: 4>, strides = array<i64: 2>}{{.*}}-> tensor<1x2x3x2xf32>
// CHECK-NEXT: forge.strided_slice {{.*}}{axes = array<i64: 3>, begin = array<i64: 1>, end = array<i64: 4>, strides = array<i64: 2>}{{.*}}-> tensor<1x2x3x2xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x2x3x2xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x2x3x2xf32>
// CHECK-NEXT: forge.subtract{{.*}}-> tensor<1x2x3x2xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x2x3x2xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x2x3x2xf32>
// CHECK-NEXT: forge.add{{.*}}-> tensor<1x2x3x2xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x2x3x2x1xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x2x3x2x1xf32>
// CHECK-NEXT: forge.concatenate {{.*}}{axis = -1 : i64}{{.*}}-> tensor<1x2x3x2x2xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x2x3x4xf32>
func.func @f(%x: !torch.vtensor<[1,2,3,4],f32>, %c: !torch.vtensor<[5,2],f32>, %s: !torch.vtensor<[5,2],f32>, %p: !torch.vtensor<[1,3],si64>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 23 : si64} {
  %out = torch.operator "onnx.RotaryEmbedding"(%x, %c, %s, %p) {torch.onnx.interleaved = 1 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[5,2],f32>, !torch.vtensor<[5,2],f32>, !torch.vtensor<[1,3],si64>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}

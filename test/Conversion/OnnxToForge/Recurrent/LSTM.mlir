// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// From the last step to the first; steps beyond the length change nothing.
// CHECK-LABEL: func.func @reverse(
// CHECK: forge.constant dense<0.000000e+00>{{.*}}  tensor<1x1x2xf32>
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<1x1x2xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x1xi32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<8x2xf32>
// CHECK-NEXT: forge.transpose{{.*}}-> tensor<2x8xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<2x3xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<8x3xf32>
// CHECK-NEXT: forge.transpose{{.*}}-> tensor<3x8xf32>
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<2x8xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<16xf32>
// CHECK-NEXT: forge.strided_slice {{.*}}{axes = array<i64: 0>, begin = array<i64: 8>, end = array<i64: 16>, strides = array<i64: 1>}{{.*}}-> tensor<8xf32>
// CHECK-NEXT: forge.strided_slice {{.*}}{axes = array<i64: 0>, begin = array<i64: 0>, end = array<i64: 8>, strides = array<i64: 1>}{{.*}}-> tensor<8xf32>
// CHECK-NEXT: forge.add{{.*}}-> tensor<2x8xf32>
// CHECK-NEXT: forge.add{{.*}}-> tensor<2x8xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<2x1x8xf32>
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<1x2xf32>
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<1x2xf32>
// CHECK-NEXT: forge.strided_slice {{.*}}{axes = array<i64: 0>, begin = array<i64: 1>, end = array<i64: 2>, strides = array<i64: 1>}{{.*}}-> tensor<1x1x8xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x8xf32>
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<1x8xf32>
// CHECK-NEXT: forge.add{{.*}}-> tensor<1x8xf32>
// CHECK-NEXT: forge.strided_slice {{.*}}{axes = array<i64: 1>, begin = array<i64: 0>, end = array<i64: 2>, strides = array<i64: 1>}{{.*}}-> tensor<1x2xf32>
// CHECK-NEXT: forge.sigmoid{{.*}}-> tensor<1x2xf32>
// CHECK-NEXT: forge.strided_slice {{.*}}{axes = array<i64: 1>, begin = array<i64: 4>, end = array<i64: 6>, strides = array<i64: 1>}{{.*}}-> tensor<1x2xf32>
// CHECK-NEXT: forge.sigmoid{{.*}}-> tensor<1x2xf32>
// CHECK-NEXT: forge.strided_slice {{.*}}{axes = array<i64: 1>, begin = array<i64: 6>, end = array<i64: 8>, strides = array<i64: 1>}{{.*}}-> tensor<1x2xf32>
// CHECK-NEXT: forge.tanh{{.*}}-> tensor<1x2xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x2xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x2xf32>
func.func @reverse(%x: !torch.vtensor<[2,1,3],f32>, %w: !torch.vtensor<[1,8,3],f32>, %r: !torch.vtensor<[1,8,2],f32>, %c: !torch.vtensor<[1,16],f32>, %l: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[2,1,1,2],f32>) attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %out = torch.operator "onnx.LSTM"(%x, %w, %r, %c, %l) {torch.onnx.direction = "reverse", torch.onnx.hidden_size = 2 : si64} : (!torch.vtensor<[2,1,3],f32>, !torch.vtensor<[1,8,3],f32>, !torch.vtensor<[1,8,2],f32>, !torch.vtensor<[1,16],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[2,1,1,2],f32>
  return %out : !torch.vtensor<[2,1,1,2],f32>
}

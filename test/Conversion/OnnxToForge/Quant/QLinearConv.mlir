// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.cast{{.*}}-> tensor<1x1x3x3xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<f32>
// CHECK-NEXT: forge.subtract{{.*}}-> tensor<1x1x3x3xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<f32>
// CHECK-NEXT: forge.subtract{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.conv2d {{.*}}{channel_last = false, dilation = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<1x1x2x2xi32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<i32>
// CHECK-NEXT: forge.add{{.*}}-> tensor<1x1x2x2xi32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<f32>
// CHECK-NEXT: forge.divide{{.*}}-> tensor<f32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.clip {{.*}}{max = 2.621440e+05 : f32, min = -2.621440e+05 : f32}{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.constant dense<1.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.constant dense<5.000000e-01>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.constant dense<2.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.remainder{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.subtract{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.greater{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.equal{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.remainder{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.add{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.add{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<f32>
// CHECK-NEXT: forge.add{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.clip {{.*}}{max = 2.550000e+02 : f32, min = 0.000000e+00 : f32}{{.*}}-> tensor<1x1x2x2xf32>
func.func @f(%x: !torch.vtensor<[1,1,3,3],ui8>, %sx: !torch.vtensor<[],f32>, %zx: !torch.vtensor<[],ui8>, %w: !torch.vtensor<[1,1,2,2],ui8>, %sw: !torch.vtensor<[],f32>, %zw: !torch.vtensor<[],ui8>, %sy: !torch.vtensor<[],f32>, %zy: !torch.vtensor<[],ui8>, %c: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,1,2,2],ui8>) attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %out = torch.operator "onnx.QLinearConv"(%x, %sx, %zx, %w, %sw, %zw, %sy, %zy, %c) : (!torch.vtensor<[1,1,3,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[1,1,2,2],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[1,1,2,2],ui8>
  return %out : !torch.vtensor<[1,1,2,2],ui8>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.cast{{.*}}-> tensor<1x1x3x3xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<f32>
// CHECK-NEXT: forge.subtract{{.*}}-> tensor<1x1x3x3xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.conv2d {{.*}}{channel_last = false, dilation = array<i64: 1, 1>, groups = 1 : i64, padding = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}{{.*}}-> tensor<1x1x2x2xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<1x1x2x2xi32>
func.func @f(%x: !torch.vtensor<[1,1,3,3],ui8>, %w: !torch.vtensor<[1,1,2,2],ui8>, %zx: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[1,1,2,2],si32>) attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %out = torch.operator "onnx.ConvInteger"(%x, %w, %zx) : (!torch.vtensor<[1,1,3,3],ui8>, !torch.vtensor<[1,1,2,2],ui8>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,1,2,2],si32>
  return %out : !torch.vtensor<[1,1,2,2],si32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.cast{{.*}} tensor<1x1x3x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<f32> loc
// CHECK: forge.subtract{{.*}} tensor<1x1x3x3xf32> loc
// CHECK: forge.cast{{.*}} tensor<1x1x2x2xf32> loc
// CHECK: forge.conv2d {{.*}} stride [1, 1] padding [0, 0, 0, 0] : {{.*}}-> tensor<1x1x2x2xf32>
// CHECK: forge.cast{{.*}} tensor<1x1x2x2xi32> loc
func.func @f(%x: !torch.vtensor<[1,1,3,3],ui8>, %w: !torch.vtensor<[1,1,2,2],ui8>, %zx: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[1,1,2,2],si32>) attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %out = torch.operator "onnx.ConvInteger"(%x, %w, %zx) : (!torch.vtensor<[1,1,3,3],ui8>, !torch.vtensor<[1,1,2,2],ui8>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,1,2,2],si32>
  return %out : !torch.vtensor<[1,1,2,2],si32>
}

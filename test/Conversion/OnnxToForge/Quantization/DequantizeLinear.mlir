// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.cast{{.*}} tensor<2x3xi32> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<i32> loc
// CHECK-NEXT: forge.subtract{{.*}} tensor<2x3xi32> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<2x3xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<2x3xf32> loc
func.func @f(%x: !torch.vtensor<[2,3],ui8>, %s: !torch.vtensor<[],f32>, %z: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %out = torch.operator "onnx.DequantizeLinear"(%x, %s, %z) : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,3],f32>
  return %out : !torch.vtensor<[2,3],f32>
}

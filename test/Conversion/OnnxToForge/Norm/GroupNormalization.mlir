// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// Statistics in f32, whatever the operand.
// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}} tensor<1x2x6xf16> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x2x6xf32> loc
// CHECK-NEXT: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK-NEXT: forge.subtract{{.*}} tensor<1x2x6xf32> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x2x6xf32> loc
// CHECK-NEXT: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK-NEXT: forge.constant dense<9.99999974E-6>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.add{{.*}} tensor<1x2x1xf32> loc
// CHECK-NEXT: forge.sqrt{{.*}} tensor<1x2x1xf32> loc
// CHECK-NEXT: forge.divide{{.*}} tensor<1x2x6xf32> loc
// CHECK-NEXT: forge.cast{{.*}} tensor<1x2x6xf16> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x4x3xf16> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x4x1xf16> loc
// CHECK-NEXT: forge.reshape{{.*}} tensor<1x4x1xf16> loc
// CHECK-NEXT: forge.multiply{{.*}} tensor<1x4x3xf16> loc
// CHECK-NEXT: forge.add{{.*}} tensor<1x4x3xf16> loc
func.func @f(%x: !torch.vtensor<[1,4,3],f16>, %s: !torch.vtensor<[4],f16>, %c: !torch.vtensor<[4],f16>) -> (!torch.vtensor<[1,4,3],f16>) attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %out = torch.operator "onnx.GroupNormalization"(%x, %s, %c) {torch.onnx.num_groups = 2 : si64} : (!torch.vtensor<[1,4,3],f16>, !torch.vtensor<[4],f16>, !torch.vtensor<[4],f16>) -> !torch.vtensor<[1,4,3],f16>
  return %out : !torch.vtensor<[1,4,3],f16>
}

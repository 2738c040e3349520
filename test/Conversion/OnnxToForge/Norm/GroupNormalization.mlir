// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// The statistics are computed in f32, whatever the type of the operand.
// CHECK-LABEL: func.func @f(
// CHECK: forge.reshape{{.*}} tensor<1x2x6xf16> loc
// CHECK: forge.cast{{.*}} tensor<1x2x6xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<1x2x6xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x6xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK: forge.constant dense<9.99999974E-6>{{.*}}  tensor<f32>
// CHECK: forge.add{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.divide{{.*}} tensor<1x2x6xf32> loc
// CHECK: forge.cast{{.*}} tensor<1x2x6xf16> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x3xf16> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x1xf16> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x1xf16> loc
// CHECK: forge.multiply{{.*}} tensor<1x4x3xf16> loc
// CHECK: forge.add{{.*}} tensor<1x4x3xf16> loc
func.func @f(%x: !torch.vtensor<[1,4,3],f16>, %s: !torch.vtensor<[4],f16>, %c: !torch.vtensor<[4],f16>) -> (!torch.vtensor<[1,4,3],f16>) attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %out = torch.operator "onnx.GroupNormalization"(%x, %s, %c) {torch.onnx.num_groups = 2 : si64} : (!torch.vtensor<[1,4,3],f16>, !torch.vtensor<[4],f16>, !torch.vtensor<[4],f16>) -> !torch.vtensor<[1,4,3],f16>
  return %out : !torch.vtensor<[1,4,3],f16>
}

// Before opset 21, the scale and the bias are per group, and there is no attribute stash_type.
// CHECK-LABEL: func.func @opset_18(
// CHECK: forge.reshape{{.*}} tensor<1x2x6xf16> loc
// CHECK: forge.cast{{.*}} tensor<1x2x6xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<1x2x6xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x6xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK: forge.constant dense<9.99999974E-6>{{.*}}  tensor<f32>
// CHECK: forge.add{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.divide{{.*}} tensor<1x2x6xf32> loc
// CHECK: forge.cast{{.*}} tensor<1x2x6xf16> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x1xf16> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x1xf16> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x6xf16> loc
// CHECK: forge.add{{.*}} tensor<1x2x6xf16> loc
// CHECK: forge.reshape{{.*}} tensor<1x4x3xf16> loc
func.func @opset_18(%x: !torch.vtensor<[1,4,3],f16>, %s: !torch.vtensor<[2],f16>, %c: !torch.vtensor<[2],f16>) -> (!torch.vtensor<[1,4,3],f16>) attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %out = torch.operator "onnx.GroupNormalization"(%x, %s, %c) {torch.onnx.num_groups = 2 : si64} : (!torch.vtensor<[1,4,3],f16>, !torch.vtensor<[2],f16>, !torch.vtensor<[2],f16>) -> !torch.vtensor<[1,4,3],f16>
  return %out : !torch.vtensor<[1,4,3],f16>
}

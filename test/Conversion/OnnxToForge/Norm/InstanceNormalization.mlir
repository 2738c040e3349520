// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<1x2x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x4xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK: forge.constant dense<9.99999974E-6>{{.*}}  tensor<f32>
// CHECK: forge.add{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.divide{{.*}} tensor<1x2x4xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x4xf32> loc
// CHECK: forge.add{{.*}} tensor<1x2x4xf32> loc
func.func @f(%x: !torch.vtensor<[1,2,4],f32>, %s: !torch.vtensor<[2],f32>, %c: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.opset_version = 6 : si64} {
  %out = torch.operator "onnx.InstanceNormalization"(%x, %s, %c) : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %out : !torch.vtensor<[1,2,4],f32>
}

// The statistics are computed in f32: in 16 bits, the rounding error of a mean far from 0 would exceed the standard
// deviation.
// CHECK-LABEL: func.func @statistics_in_f32(
// CHECK: forge.cast{{.*}} tensor<1x2x4xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<1x2x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x4xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<1x2x1xf32> loc
// CHECK: forge.constant dense<9.99999974E-6>{{.*}}  tensor<f32>
// CHECK: forge.add{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<1x2x1xf32> loc
// CHECK: forge.divide{{.*}} tensor<1x2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<1x2x4xbf16> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x1xbf16> loc
// CHECK: forge.reshape{{.*}} tensor<1x2x1xbf16> loc
// CHECK: forge.multiply{{.*}} tensor<1x2x4xbf16> loc
// CHECK: forge.add{{.*}} tensor<1x2x4xbf16> loc
func.func @statistics_in_f32(%x: !torch.vtensor<[1,2,4],bf16>, %s: !torch.vtensor<[2],bf16>, %c: !torch.vtensor<[2],bf16>) -> (!torch.vtensor<[1,2,4],bf16>) attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %out = torch.operator "onnx.InstanceNormalization"(%x, %s, %c) : (!torch.vtensor<[1,2,4],bf16>, !torch.vtensor<[2],bf16>, !torch.vtensor<[2],bf16>) -> !torch.vtensor<[1,2,4],bf16>
  return %out : !torch.vtensor<[1,2,4],bf16>
}

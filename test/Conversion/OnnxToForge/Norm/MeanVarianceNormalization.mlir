// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f(
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<2x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x4xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<2x1xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<2x1xf32> loc
// CHECK: forge.constant dense<9.99999971E-10>{{.*}}  tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x1xf32> loc
// CHECK: forge.divide{{.*}} tensor<2x4xf32> loc
func.func @f(%x: !torch.vtensor<[2,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %out = torch.operator "onnx.MeanVarianceNormalization"(%x) {torch.onnx.axes = [1 : si64]} : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @statistics_in_f32(
// CHECK: forge.cast{{.*}} tensor<2x4xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<2x1xf32> loc
// CHECK: forge.subtract{{.*}} tensor<2x4xf32> loc
// CHECK: forge.multiply{{.*}} tensor<2x4xf32> loc
// CHECK: forge.reduce_avg {{.*}} dim -1 keep_dim : {{.*}}tensor<2x1xf32> loc
// CHECK: forge.sqrt{{.*}} tensor<2x1xf32> loc
// CHECK: forge.constant dense<9.99999971E-10>{{.*}}  tensor<f32>
// CHECK: forge.add{{.*}} tensor<2x1xf32> loc
// CHECK: forge.divide{{.*}} tensor<2x4xf32> loc
// CHECK: forge.cast{{.*}} tensor<2x4xf16> loc
func.func @statistics_in_f32(%x: !torch.vtensor<[2,4],f16>) -> (!torch.vtensor<[2,4],f16>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %out = torch.operator "onnx.MeanVarianceNormalization"(%x) {torch.onnx.axes = [1 : si64]} : (!torch.vtensor<[2,4],f16>) -> !torch.vtensor<[2,4],f16>
  return %out : !torch.vtensor<[2,4],f16>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.add{{.*}}-> tensor<1x2x4xf32>
// CHECK-NEXT: forge.reduce_avg {{.*}}{dim = -1 : i64, keep_dim = true}{{.*}}-> tensor<1x2x1xf32>
// CHECK-NEXT: forge.subtract{{.*}}-> tensor<1x2x4xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x2x4xf32>
// CHECK-NEXT: forge.reduce_avg {{.*}}{dim = -1 : i64, keep_dim = true}{{.*}}-> tensor<1x2x1xf32>
// CHECK-NEXT: forge.constant dense<9.99999996E-13>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.add{{.*}}-> tensor<1x2x1xf32>
// CHECK-NEXT: forge.sqrt{{.*}}-> tensor<1x2x1xf32>
// CHECK-NEXT: forge.divide{{.*}}-> tensor<1x2x4xf32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<1x2x4xf32>
// CHECK-NEXT: forge.constant dense<1.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.divide{{.*}}-> tensor<1x2x1xf32>
func.func @f(%x: !torch.vtensor<[1,2,4],f32>, %y: !torch.vtensor<[1,2,4],f32>, %g: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.SkipLayerNormalization"(%x, %y, %g) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %out : !torch.vtensor<[1,2,4],f32>
}

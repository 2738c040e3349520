// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @one(
// CHECK: forge.abs{{.*}}-> tensor<2x4xf32>
// CHECK-NEXT: forge.reduce_sum {{.*}}{dim = -1 : i64, keep_dim = true}{{.*}}-> tensor<2x1xf32>
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.divide{{.*}}-> tensor<2x4xf32>
// CHECK-NEXT: forge.equal{{.*}}-> tensor<2x1xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<2x1xi1>
// CHECK-NEXT: forge.where{{.*}}-> tensor<2x4xf32>
func.func @one(%x: !torch.vtensor<[2,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %out = torch.operator "onnx.LpNormalization"(%x) {torch.onnx.p = 1 : si64} : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @two(
// CHECK: forge.multiply{{.*}}-> tensor<2x4xf32>
// CHECK-NEXT: forge.reduce_sum {{.*}}{dim = -2 : i64, keep_dim = true}{{.*}}-> tensor<1x4xf32>
// CHECK-NEXT: forge.sqrt{{.*}}-> tensor<1x4xf32>
// CHECK-NEXT: forge.constant dense<0.000000e+00>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.divide{{.*}}-> tensor<2x4xf32>
// CHECK-NEXT: forge.equal{{.*}}-> tensor<1x4xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<1x4xi1>
// CHECK-NEXT: forge.where{{.*}}-> tensor<2x4xf32>
func.func @two(%x: !torch.vtensor<[2,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %out = torch.operator "onnx.LpNormalization"(%x) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

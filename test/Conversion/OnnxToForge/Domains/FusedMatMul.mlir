// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.transpose{{.*}}-> tensor<2x3xf32>
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<2x4xf32>
// CHECK-NEXT: forge.constant dense<5.000000e-01>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<2x4xf32>
func.func @f(%x: !torch.vtensor<[3,2],f32>, %y: !torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.FusedMatMul"(%x, %y) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.transA = 1 : si64, torch.onnx.alpha = 0.5 : f32} : (!torch.vtensor<[3,2],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.transpose{{.*}} tensor<3x4xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<2x3xf32> loc
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<2x4xf32>
func.func @f(%x0: !torch.vtensor<[3,2],f32>, %x1: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.TransposeMatMul"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.transA = 1 : si64, torch.onnx.transB = 1 : si64} : (!torch.vtensor<[3,2],f32>, !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

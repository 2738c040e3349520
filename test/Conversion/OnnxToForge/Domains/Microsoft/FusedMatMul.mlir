// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.transpose{{.*}} tensor<2x3xf32> loc
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<2x4xf32>
// CHECK-NEXT: forge.constant dense<5.000000e-01>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.multiply{{.*}} tensor<2x4xf32> loc
func.func @f(%x0: !torch.vtensor<[3,2],f32>, %x1: !torch.vtensor<[3,4],f32>) -> (!torch.vtensor<[2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.FusedMatMul"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.transA = 1 : si64, torch.onnx.alpha = 0.5 : f32} : (!torch.vtensor<[3,2],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %out : !torch.vtensor<[2,4],f32>
}

// transBatchA moves the first axis of A after the other batch axes.
// CHECK-LABEL: func.func @batch(
// CHECK: forge.transpose{{.*}} tensor<2x4x3x5xf32> loc
// CHECK-NEXT: forge.transpose{{.*}} tensor<2x3x4x5xf32> loc
// CHECK-NEXT: forge.matmul{{.*}}-> tensor<2x3x4x6xf32>
func.func @batch(%x0: !torch.vtensor<[4,2,3,5],f32>, %x1: !torch.vtensor<[2,3,5,6],f32>) -> (!torch.vtensor<[2,3,4,6],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.FusedMatMul"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.transBatchA = 1 : si64} : (!torch.vtensor<[4,2,3,5],f32>, !torch.vtensor<[2,3,5,6],f32>) -> !torch.vtensor<[2,3,4,6],f32>
  return %out : !torch.vtensor<[2,3,4,6],f32>
}

// A 16-bit product could overflow before it is multiplied by alpha.
// CHECK-LABEL: func.func @sixteen_bits(
// CHECK: %[[P:.+]] = forge.matmul {{.*}} -> tensor<2x2xf32>
// CHECK: %[[S:.+]] = forge.multiply %[[P]]
// CHECK: forge.cast %[[S]] dtype f16
func.func @sixteen_bits(%x: !torch.vtensor<[2,4],f16>, %y: !torch.vtensor<[4,2],f16>) -> !torch.vtensor<[2,2],f16> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %0 = torch.operator "onnx.FusedMatMul"(%x, %y) {torch.onnx.alpha = 1.250000e-01 : f32, torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],f16>, !torch.vtensor<[4,2],f16>) -> !torch.vtensor<[2,2],f16>
  return %0 : !torch.vtensor<[2,2],f16>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: forge.matmul{{.*}}-> tensor<3x5xf32>
// CHECK-NEXT: forge.constant dense<5.000000e-01>{{.*}}  tensor<f32>
// CHECK-NEXT: forge.multiply{{.*}} tensor<3x5xf32> loc
// CHECK-NEXT: forge.add{{.*}} tensor<3x5xf32> loc
// CHECK-NEXT: forge.leaky_relu {{.*}} alpha 2.500000e-01 : {{.*}}tensor<3x5xf32> loc
func.func @f(%x0: !torch.vtensor<[3,4],f32>, %x1: !torch.vtensor<[4,5],f32>, %x2: !torch.vtensor<[5],f32>) -> (!torch.vtensor<[3,5],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %out = torch.operator "onnx.FusedGemm"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.activation = "LeakyRelu", torch.onnx.activation_alpha = 0.25 : f32, torch.onnx.alpha = 0.5 : f32} : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[4,5],f32>, !torch.vtensor<[5],f32>) -> !torch.vtensor<[3,5],f32>
  return %out : !torch.vtensor<[3,5],f32>
}

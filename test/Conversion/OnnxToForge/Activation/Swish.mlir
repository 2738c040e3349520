// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.multiply %[[C0]], %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V2:.*]] = forge.sigmoid %[[V1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V3:.*]] = forge.multiply %{{.*}}, %[[V2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V3]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 24 : si64} {
  %y = torch.operator "onnx.Swish"(%x0) {torch.onnx.alpha = 2.0 : f32} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

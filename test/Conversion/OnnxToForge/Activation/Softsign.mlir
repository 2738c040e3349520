// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.abs %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.add %[[C1]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V3:.*]] = forge.divide %{{.*}}, %[[V2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V3]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Softsign"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.add %[[C0]], %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V3:.*]] = forge.subtract %[[C2]], %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V4:.*]] = forge.divide %[[V3]], %[[V1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V5:.*]] = forge.sqrt %[[V4]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V6:.*]] = forge.atan %[[V5]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C7:.*]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[V8:.*]] = forge.multiply %[[C7]], %[[V6]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V8]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Acos"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<6.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.divide %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[V3:.*]] = forge.add %[[V1]], %[[C2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C4:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V5:.*]] = forge.min %[[V3]], %[[C4]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C6:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V7:.*]] = forge.max %[[V5]], %[[C6]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V8:.*]] = forge.multiply %{{.*}}, %[[V7]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V8]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.HardSwish"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

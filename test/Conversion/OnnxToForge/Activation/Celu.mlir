// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.divide %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V2:.*]] = forge.exp %[[V1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.subtract %[[V2]], %[[C3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C5:.*]] = forge.constant dense<2.000000e+00> : tensor<f32>
// CHECK: %[[V6:.*]] = forge.multiply %[[C5]], %[[V4]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C7:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V8:.*]] = forge.min %[[V6]], %[[C7]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C9:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V10:.*]] = forge.max %{{.*}}, %[[C9]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V11:.*]] = forge.add %[[V10]], %[[V8]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V11]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 28 : si64} {
  %y = torch.operator "onnx.Celu"(%x0) {torch.onnx.alpha = 2.0 : f32} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.remainder %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V2:.*]] = forge.subtract %{{.*}}, %[[V1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.greater %[[V1]], %[[C3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V5:.*]] = forge.cast %[[V4]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V6:.*]] = forge.where %[[V5]], %[[V2]], %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V6]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Floor"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

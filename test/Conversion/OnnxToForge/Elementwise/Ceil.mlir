// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.multiply %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V3:.*]] = forge.remainder %[[V1]], %[[C2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V4:.*]] = forge.subtract %[[V1]], %[[V3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C5:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V6:.*]] = forge.greater %[[V3]], %[[C5]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V7:.*]] = forge.cast %[[V6]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V8:.*]] = forge.where %[[V7]], %[[V4]], %[[V1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C9:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V10:.*]] = forge.multiply %[[V8]], %[[C9]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V10]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Ceil"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

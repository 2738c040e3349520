// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<0.693147182> : tensor<f32>
// CHECK: %[[C1:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.multiply %{{.*}}, %[[C1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V3:.*]] = forge.subtract %[[V2]], %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V4:.*]] = forge.exp %[[V3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V5:.*]] = forge.subtract %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V6:.*]] = forge.exp %[[V5]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V7:.*]] = forge.add %[[V6]], %[[V4]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V7]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Cosh"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

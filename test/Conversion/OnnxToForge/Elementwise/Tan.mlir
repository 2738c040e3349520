// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.cosine %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V1:.*]] = forge.sine %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V2:.*]] = forge.divide %[[V1]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V2]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Tan"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.cast %{{.*}} dtype f32 : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V1:.*]] = forge.cosine %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V2:.*]] = forge.sine %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V3:.*]] = forge.divide %[[V2]], %[[V1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V4:.*]] = forge.cast %[[V3]] dtype f16 : {{.*}}tensor<2x3xf16> loc
// CHECK: return %[[V4]] : tensor<2x3xf16>
func.func @f1(%x0: !torch.vtensor<[2,3],f16>) -> !torch.vtensor<[2,3],f16> attributes {torch.onnx_meta.opset_version = 7 : si64} {
  %y = torch.operator "onnx.Tan"(%x0) {} : (!torch.vtensor<[2,3],f16>) -> !torch.vtensor<[2,3],f16>
  return %y : !torch.vtensor<[2,3],f16>
}

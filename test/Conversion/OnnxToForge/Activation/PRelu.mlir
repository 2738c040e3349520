// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.multiply %{{.*}}, %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.less %{{.*}}, %[[C1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V3:.*]] = forge.cast %[[V2]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V4:.*]] = forge.where %[[V3]], %[[V0]], %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V4]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>, %x1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %y = torch.operator "onnx.PRelu"(%x0, %x1) {} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.reshape %{{.*}} shape [1, 3, 1] : {{.*}}tensor<1x3x1xf32> loc
// CHECK: %[[V1:.*]] = forge.multiply %{{.*}}, %[[V0]] : {{.*}}tensor<2x3x4xf32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V3:.*]] = forge.less %{{.*}}, %[[C2]] : {{.*}}tensor<2x3x4xf32> loc
// CHECK: %[[V4:.*]] = forge.cast %[[V3]] dtype i1 : {{.*}}tensor<2x3x4xi1> loc
// CHECK: %[[V5:.*]] = forge.where %[[V4]], %[[V1]], %{{.*}} : {{.*}}tensor<2x3x4xf32> loc
// CHECK: return %[[V5]] : tensor<2x3x4xf32>
func.func @f1(%x0: !torch.vtensor<[2,3,4],f32>, %x1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  %y = torch.operator "onnx.PRelu"(%x0, %x1) {} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %y : !torch.vtensor<[2,3,4],f32>
}

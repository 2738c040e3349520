// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.exp %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<1.67326319> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.multiply %[[C1]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<1.67326319> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.subtract %[[V2]], %[[C3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C5:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V6:.*]] = forge.less_equal %{{.*}}, %[[C5]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V7:.*]] = forge.cast %[[V6]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V8:.*]] = forge.where %[[V7]], %[[V4]], %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C9:.*]] = forge.constant dense<1.05070102> : tensor<f32>
// CHECK: %[[V10:.*]] = forge.multiply %[[C9]], %[[V8]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V10]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %y = torch.operator "onnx.Selu"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.exp %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<1.673200e+00> : tensor<f32>
// CHECK: %[[V2:.*]] = forge.multiply %[[C1]], %[[V0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<1.673200e+00> : tensor<f32>
// CHECK: %[[V4:.*]] = forge.subtract %[[V2]], %[[C3]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C5:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V6:.*]] = forge.less_equal %{{.*}}, %[[C5]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V7:.*]] = forge.cast %[[V6]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[V8:.*]] = forge.where %[[V7]], %[[V4]], %{{.*}} : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C9:.*]] = forge.constant dense<1.050700e+00> : tensor<f32>
// CHECK: %[[V10:.*]] = forge.multiply %[[C9]], %[[V8]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V10]] : tensor<2x3xf32>
func.func @f1(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %y = torch.operator "onnx.Selu"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.add %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C2:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V3:.*]] = forge.less %{{.*}}, %[[C2]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V4:.*]] = forge.cast %[[V3]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C5:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V6:.*]] = forge.where %[[V4]], %[[C5]], %[[V1]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[C7:.*]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[V8:.*]] = forge.greater %{{.*}}, %[[C7]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V9:.*]] = forge.cast %[[V8]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C10:.*]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[V11:.*]] = forge.where %[[V9]], %[[C10]], %[[V6]] : {{.*}}tensor<2x3xf32> loc
// CHECK: return %[[V11]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Sign"(%x0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[C0:.*]] = forge.constant dense<0> : tensor<ui8>
// CHECK: %[[V1:.*]] = forge.greater %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xui8> loc
// CHECK: %[[V2:.*]] = forge.cast %[[V1]] dtype i1 : {{.*}}tensor<2x3xi1> loc
// CHECK: %[[C3:.*]] = forge.constant dense<1> : tensor<ui8>
// CHECK: %[[V4:.*]] = forge.where %[[V2]], %[[C3]], %{{.*}} : {{.*}}tensor<2x3xui8> loc
// CHECK: return %[[V4]] : tensor<2x3xui8>
func.func @f1(%x0: !torch.vtensor<[2,3],ui8>) -> !torch.vtensor<[2,3],ui8> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Sign"(%x0) {} : (!torch.vtensor<[2,3],ui8>) -> !torch.vtensor<[2,3],ui8>
  return %y : !torch.vtensor<[2,3],ui8>
}

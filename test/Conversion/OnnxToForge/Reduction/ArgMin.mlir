// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[C0:.*]] = forge.constant dense<-1.000000e+00> : tensor<f32>
// CHECK: %[[V1:.*]] = forge.multiply %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xf32> loc
// CHECK: %[[V2:.*]] = forge.argmax %[[V1]] dim -1 keep_dim : {{.*}}tensor<2x1xi32> loc
// CHECK: %[[V3:.*]] = forge.cast %[[V2]] dtype i64 : {{.*}}tensor<2x1xi64> loc
// CHECK: return %[[V3]] : tensor<2x1xi64>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ArgMin"(%x0) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],si64>
  return %y : !torch.vtensor<[2,1],si64>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[C0:.*]] = forge.constant dense<-1> : tensor<i32>
// CHECK: %[[V1:.*]] = forge.subtract %[[C0]], %{{.*}} : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V2:.*]] = forge.argmax %[[V1]] dim -2 keep_dim : {{.*}}tensor<1x3xi32> loc
// CHECK: %[[V3:.*]] = forge.cast %[[V2]] dtype i64 : {{.*}}tensor<1x3xi64> loc
// CHECK: return %[[V3]] : tensor<1x3xi64>
func.func @f1(%x0: !torch.vtensor<[2,3],si32>) -> !torch.vtensor<[1,3],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ArgMin"(%x0) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,3],si32>) -> !torch.vtensor<[1,3],si64>
  return %y : !torch.vtensor<[1,3],si64>
}

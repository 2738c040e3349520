// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.cast %{{.*}} dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C1:.*]] = forge.constant dense<-1> : tensor<i32>
// CHECK: %[[V2:.*]] = forge.subtract %[[C1]], %[[V0]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V4:.*]] = forge.bitwise_and %[[V2]], %[[C3]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V5:.*]] = forge.cast %[[V4]] dtype ui8 : {{.*}}tensor<2x3xui8> loc
// CHECK: return %[[V5]] : tensor<2x3xui8>
func.func @f0(%x0: !torch.vtensor<[2,3],ui8>) -> !torch.vtensor<[2,3],ui8> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %y = torch.operator "onnx.BitwiseNot"(%x0) {} : (!torch.vtensor<[2,3],ui8>) -> !torch.vtensor<[2,3],ui8>
  return %y : !torch.vtensor<[2,3],ui8>
}

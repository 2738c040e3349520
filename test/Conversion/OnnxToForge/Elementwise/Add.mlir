// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.*]] = forge.cast %{{.*}} dtype i32 : {{.*}}tensor<3xi32> loc
// CHECK: %[[V1:.*]] = forge.cast %{{.*}} dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V2:.*]] = forge.add %[[V1]], %[[V0]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<128> : tensor<i32>
// CHECK: %[[V4:.*]] = forge.add %[[V2]], %[[C3]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C5:.*]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V6:.*]] = forge.bitwise_and %[[V4]], %[[C5]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C7:.*]] = forge.constant dense<128> : tensor<i32>
// CHECK: %[[V8:.*]] = forge.subtract %[[V6]], %[[C7]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V9:.*]] = forge.cast %[[V8]] dtype i8 : {{.*}}tensor<2x3xi8> loc
// CHECK: return %[[V9]] : tensor<2x3xi8>
func.func @f0(%x0: !torch.vtensor<[2,3],si8>, %x1: !torch.vtensor<[3],si8>) -> !torch.vtensor<[2,3],si8> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y = torch.operator "onnx.Add"(%x0, %x1) {} : (!torch.vtensor<[2,3],si8>, !torch.vtensor<[3],si8>) -> !torch.vtensor<[2,3],si8>
  return %y : !torch.vtensor<[2,3],si8>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.*]] = forge.cast %{{.*}} dtype i32 : {{.*}}tensor<3xi32> loc
// CHECK: %[[V1:.*]] = forge.cast %{{.*}} dtype i32 : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V2:.*]] = forge.add %[[V1]], %[[V0]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[C3:.*]] = forge.constant dense<65535> : tensor<i32>
// CHECK: %[[V4:.*]] = forge.bitwise_and %[[V2]], %[[C3]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V5:.*]] = forge.cast %[[V4]] dtype ui16 : {{.*}}tensor<2x3xui16> loc
// CHECK: return %[[V5]] : tensor<2x3xui16>
func.func @f1(%x0: !torch.vtensor<[2,3],ui16>, %x1: !torch.vtensor<[3],ui16>) -> !torch.vtensor<[2,3],ui16> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y = torch.operator "onnx.Add"(%x0, %x1) {} : (!torch.vtensor<[2,3],ui16>, !torch.vtensor<[3],ui16>) -> !torch.vtensor<[2,3],ui16>
  return %y : !torch.vtensor<[2,3],ui16>
}

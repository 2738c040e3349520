// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.cast %arg1 dtype i32 : (tensor<3xi8>) -> tensor<3xi32>
// CHECK: %[[V1:.+]] = forge.cast %arg0 dtype i32 : (tensor<2x3xi8>) -> tensor<2x3xi32>
// CHECK: %[[V2:.+]] = forge.add %[[V1]], %[[V0]] : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
// CHECK: %[[V3:.+]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V4:.+]] = forge.bitwise_and %[[V2]], %[[V3]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V5:.+]] = forge.constant dense<128> : tensor<i32>
// CHECK: %[[V6:.+]] = forge.add %[[V4]], %[[V5]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V7:.+]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V8:.+]] = forge.bitwise_and %[[V6]], %[[V7]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V9:.+]] = forge.constant dense<128> : tensor<i32>
// CHECK: %[[V10:.+]] = forge.subtract %[[V8]], %[[V9]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V11:.+]] = forge.cast %[[V10]] dtype i8 : (tensor<2x3xi32>) -> tensor<2x3xi8>
// CHECK-NEXT: return %[[V11]] : tensor<2x3xi8>
func.func @f0(%x0: !torch.vtensor<[2,3],si8>, %x1: !torch.vtensor<[3],si8>) -> !torch.vtensor<[2,3],si8> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y = torch.operator "onnx.Add"(%x0, %x1) {} : (!torch.vtensor<[2,3],si8>, !torch.vtensor<[3],si8>) -> !torch.vtensor<[2,3],si8>
  return %y : !torch.vtensor<[2,3],si8>
}

// CHECK-LABEL: func.func @f1(
// CHECK-DAG: %[[V0:.+]] = forge.cast %arg1 dtype i32 : (tensor<3xui16>) -> tensor<3xi32>
// CHECK-DAG: %[[V1:.+]] = forge.cast %arg0 dtype i32 : (tensor<2x3xui16>) -> tensor<2x3xi32>
// CHECK-DAG: %[[V2:.+]] = forge.add %[[V1]], %[[V0]] : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<65535> : tensor<i32>
// CHECK-DAG: %[[V4:.+]] = forge.bitwise_and %[[V2]], %[[V3]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK-DAG: %[[V5:.+]] = forge.cast %[[V4]] dtype ui16 : (tensor<2x3xi32>) -> tensor<2x3xui16>
// CHECK: return %[[V5]] : tensor<2x3xui16>
func.func @f1(%x0: !torch.vtensor<[2,3],ui16>, %x1: !torch.vtensor<[3],ui16>) -> !torch.vtensor<[2,3],ui16> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y = torch.operator "onnx.Add"(%x0, %x1) {} : (!torch.vtensor<[2,3],ui16>, !torch.vtensor<[3],ui16>) -> !torch.vtensor<[2,3],ui16>
  return %y : !torch.vtensor<[2,3],ui16>
}

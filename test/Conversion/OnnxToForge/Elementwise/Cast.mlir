// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype i32 : (tensor<2x3xf32>) -> tensor<2x3xi32>
// CHECK: %[[V1:.+]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V2:.+]] = forge.bitwise_and %[[V0]], %[[V1]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V3:.+]] = forge.constant dense<128> : tensor<i32>
// CHECK: %[[V4:.+]] = forge.add %[[V2]], %[[V3]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V5:.+]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V6:.+]] = forge.bitwise_and %[[V4]], %[[V5]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V7:.+]] = forge.constant dense<128> : tensor<i32>
// CHECK: %[[V8:.+]] = forge.subtract %[[V6]], %[[V7]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V9:.+]] = forge.cast %[[V8]] dtype i8 : (tensor<2x3xi32>) -> tensor<2x3xi8>
// CHECK-NEXT: return %[[V9]] : tensor<2x3xi8>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],si8> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Cast"(%x0) {torch.onnx.to = 3 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],si8>
  return %y : !torch.vtensor<[2,3],si8>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[C0:.*]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V1:.*]] = forge.bitwise_and %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V2:.*]] = forge.cast %[[V1]] dtype ui8 : {{.*}}tensor<2x3xui8> loc
// CHECK: return %[[V2]] : tensor<2x3xui8>
func.func @f1(%x0: !torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],ui8> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Cast"(%x0) {torch.onnx.to = 2 : si64} : (!torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],ui8>
  return %y : !torch.vtensor<[2,3],ui8>
}

// CHECK-LABEL: func.func @f2(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype i32 : (tensor<2x3xi8>) -> tensor<2x3xi32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xi32>
func.func @f2(%x0: !torch.vtensor<[2,3],si8>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Cast"(%x0) {torch.onnx.to = 6 : si64} : (!torch.vtensor<[2,3],si8>) -> !torch.vtensor<[2,3],si32>
  return %y : !torch.vtensor<[2,3],si32>
}

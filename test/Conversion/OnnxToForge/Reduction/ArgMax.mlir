// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Forge's index is an Int32.
// CHECK-LABEL: func.func @default(
// CHECK: %[[V0:.+]] = forge.argmax %arg0 {dim = -2 : i64, keep_dim = true} : (tensor<2x3xf32>) -> tensor<1x3xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.cast %[[V0]] {dtype = i64} : (tensor<1x3xi32>) -> tensor<1x3xi64>
// CHECK-NEXT: return %[[V1]] : tensor<1x3xi64>
func.func @default(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.ArgMax"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],si64>
  return %r1 : !torch.vtensor<[1,3],si64>
}

// CHECK-LABEL: func.func @last(
// CHECK: %[[V0:.+]] = forge.argmax %arg0 {dim = -1 : i64, keep_dim = false} : (tensor<2x3xf32>) -> tensor<2xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.cast %[[V0]] {dtype = i64} : (tensor<2xi32>) -> tensor<2xi64>
// CHECK-NEXT: return %[[V1]] : tensor<2xi64>
func.func @last(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.ArgMax"(%arg0) {torch.onnx.axis = -1 : si64, torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2],si64>
  return %r1 : !torch.vtensor<[2],si64>
}

// CHECK-LABEL: func.func @first_index(
// CHECK: %[[V0:.+]] = forge.argmax %arg0 {dim = -2 : i64, keep_dim = true} : (tensor<2x3xf32>) -> tensor<1x3xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.cast %[[V0]] {dtype = i64} : (tensor<1x3xi32>) -> tensor<1x3xi64>
// CHECK-NEXT: return %[[V1]] : tensor<1x3xi64>
func.func @first_index(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],si64> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %r1 = torch.operator "onnx.ArgMax"(%arg0) {torch.onnx.select_last_index = 0 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],si64>
  return %r1 : !torch.vtensor<[1,3],si64>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @two(
// CHECK: %[[V0:.+]] = forge.concatenate %arg0, %arg1 axis -1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x4xf32>
func.func @two(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,1],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Concat"(%arg0, %arg1) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,1],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// The default axis before opset 4 is 1.
// CHECK-LABEL: func.func @default_axis(
// CHECK: %[[V0:.+]] = forge.concatenate %arg0, %arg1 axis -1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x4xf32>
func.func @default_axis(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,1],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Concat"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,1],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @one(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @one(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1 = torch.operator "onnx.Concat"(%arg0) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// Empty operands are dropped.
// CHECK-LABEL: func.func @empty(
// CHECK: %[[V0:.+]] = forge.concatenate %arg1, %arg2 axis -1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x6xf32>
func.func @empty(%arg0: !torch.vtensor<[2,0],f32>, %arg1: !torch.vtensor<[2,3],f32>, %arg2: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,6],f32> attributes {torch.onnx_meta.opset_version = 4 : si64} {
  %r1 = torch.operator "onnx.Concat"(%arg0, %arg1, %arg2) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,0],f32>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,6],f32>
  return %r1 : !torch.vtensor<[2,6],f32>
}

// CHECK-LABEL: func.func @only_empty(
// CHECK: return %arg0 : tensor<0xf32>
func.func @only_empty(%arg0: !torch.vtensor<[0],f32>, %arg1: !torch.vtensor<[0],f32>) -> !torch.vtensor<[0],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Concat"(%arg0, %arg1) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[0],f32>, !torch.vtensor<[0],f32>) -> !torch.vtensor<[0],f32>
  return %r1 : !torch.vtensor<[0],f32>
}

// CHECK-LABEL: func.func @folded(
// CHECK: %[[V0:.+]] = forge.constant dense<[1, 2, 3]> : tensor<3xi64>
// CHECK-NEXT: return %[[V0]] : tensor<3xi64>
func.func @folded() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r3 = torch.operator "onnx.Concat"(%c1, %c2) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[1],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3],si64>
  return %r3 : !torch.vtensor<[3],si64>
}

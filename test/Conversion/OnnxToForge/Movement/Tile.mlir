// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// In version 1, the inputs are one repeat count and its axis.
// CHECK-LABEL: func.func @axis(
// CHECK: %[[V0:.+]] = forge.repeat %arg0 repeats [1, 4] : (tensor<2x3xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x12xf32>
func.func @axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,12],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %r3 = torch.operator "onnx.Tile"(%arg0, %c1, %c2) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,12],f32>
  return %r3 : !torch.vtensor<[2,12],f32>
}

// CHECK-LABEL: func.func @repeats(
// CHECK: %[[V0:.+]] = forge.repeat %arg0 repeats [3, 1] : (tensor<2x3xf32>) -> tensor<6x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<6x3xf32>
func.func @repeats(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[6,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Tile"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[6,3],f32>
  return %r2 : !torch.vtensor<[6,3],f32>
}

// CHECK-LABEL: func.func @ones(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @ones(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Tile"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @zero(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<2x0xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x0xf32>
func.func @zero(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,0],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 0]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Tile"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,0],f32>
  return %r2 : !torch.vtensor<[2,0],f32>
}

// CHECK-LABEL: func.func @folded(
// CHECK: %[[V0:.+]] = forge.constant dense<[1, 2, 1, 2]> : tensor<4xi64>
// CHECK-NEXT: return %[[V0]] : tensor<4xi64>
func.func @folded() -> !torch.vtensor<[4],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r3 = torch.operator "onnx.Tile"(%c1, %c2) : (!torch.vtensor<[2],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[4],si64>
  return %r3 : !torch.vtensor<[4],si64>
}

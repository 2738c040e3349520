// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s
// RUN: forge-opt %s --convert-onnx-to-forge=fold-limit=2 | FileCheck %s --check-prefix=LARGE

// Since opset 7, operands are broadcast as in numpy.
// CHECK-LABEL: func.func @broadcast(
// CHECK: %[[V0:.+]] = forge.multiply %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @broadcast(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %r1 = torch.operator "onnx.Mul"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// Before opset 7, the axes of the second operand are aligned at `axis` of the first.
// CHECK-LABEL: func.func @axis(
// CHECK: %[[V0:.+]] = forge.reshape %arg1 shape [3, 1] : (tensor<3xf32>) -> tensor<3x1xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.multiply %arg0, %[[V0]] : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3x4xf32>
func.func @axis(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  %r1 = torch.operator "onnx.Mul"(%arg0, %arg1) {torch.onnx.axis = 1 : si64, torch.onnx.broadcast = 1 : si64} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// Without `axis`, they are aligned with its trailing axes.
// CHECK-LABEL: func.func @suffix(
// CHECK: %[[V0:.+]] = forge.multiply %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3x4xf32>
func.func @suffix(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Mul"(%arg0, %arg1) {torch.onnx.broadcast = 1 : si64, torch.onnx.consumed_inputs = [0 : si64, 0 : si64]} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// CHECK-LABEL: func.func @integers(
// CHECK: %[[V0:.+]] = forge.multiply %arg0, %arg1 : tensor<2xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2xi64>
func.func @integers(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Mul"(%arg0, %arg1) : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  return %r1 : !torch.vtensor<[2],si64>
}

// Operations on constants are folded.
// CHECK-LABEL: func.func @folded(
// CHECK: %[[V0:.+]] = forge.constant dense<[14, -14, 4]> : tensor<3xi64>
// CHECK-NEXT: return %[[V0]] : tensor<3xi64>
func.func @folded() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[7, -7, 2]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r3 = torch.operator "onnx.Mul"(%c1, %c2) : (!torch.vtensor<[3],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],si64>
  return %r3 : !torch.vtensor<[3],si64>
}

// Constants of narrow integers wrap, also if the result is too large to be folded.
// CHECK-LABEL: func.func @narrow_constants(
// CHECK: forge.constant dense<[-109, 96, -6, 0]> : tensor<4xi8>
// LARGE-LABEL: func.func @narrow_constants(
// LARGE: %[[WRAPPED:.+]] = forge.cast %{{.+}} dtype i8 : (tensor<4xi32>) -> tensor<4xi8>
// LARGE-NEXT: return %[[WRAPPED]]
func.func @narrow_constants() -> !torch.vtensor<[4],si8> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, -4, 50, 0]> : tensor<4xsi8>} : () -> !torch.vtensor<[4],si8>
  %y = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[49, 40, 5, 1]> : tensor<4xsi8>} : () -> !torch.vtensor<[4],si8>
  %r = torch.operator "onnx.Mul"(%x, %y) : (!torch.vtensor<[4],si8>, !torch.vtensor<[4],si8>) -> !torch.vtensor<[4],si8>
  return %r : !torch.vtensor<[4],si8>
}

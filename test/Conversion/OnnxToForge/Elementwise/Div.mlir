// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s
// RUN: forge-opt %s --convert-onnx-to-forge=fold-limit=2 | FileCheck %s --check-prefix=LARGE

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.divide %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>, %x1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y = torch.operator "onnx.Div"(%x0, %x1) {} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[V0:.+]] = forge.quotient %arg0, %arg1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xi32>
func.func @f1(%x0: !torch.vtensor<[2,3],si32>, %x1: !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %y = torch.operator "onnx.Div"(%x0, %x1) {} : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32>
  return %y : !torch.vtensor<[2,3],si32>
}

// Constants of narrow integers wrap, also if the result is too large to be folded.
// CHECK-LABEL: func.func @narrow_constants(
// CHECK: forge.constant dense<[-128, 3, -2, 5]> : tensor<4xi8>
// LARGE-LABEL: func.func @narrow_constants(
// LARGE: %[[WRAPPED:.+]] = forge.cast %{{.+}} dtype i8 : (tensor<4xi32>) -> tensor<4xi8>
// LARGE-NEXT: return %[[WRAPPED]]
func.func @narrow_constants() -> !torch.vtensor<[4],si8> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-128, 7, 6, 5]> : tensor<4xsi8>} : () -> !torch.vtensor<[4],si8>
  %y = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-1, 2, -3, 1]> : tensor<4xsi8>} : () -> !torch.vtensor<[4],si8>
  %r = torch.operator "onnx.Div"(%x, %y) : (!torch.vtensor<[4],si8>, !torch.vtensor<[4],si8>) -> !torch.vtensor<[4],si8>
  return %r : !torch.vtensor<[4],si8>
}

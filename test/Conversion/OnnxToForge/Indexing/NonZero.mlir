// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// The indices of the non-zero elements of a constant.
// CHECK-LABEL: func.func @constant(
// CHECK: %[[V0:.+]] = forge.constant dense<{{\[\[}}0, 1, 1], [0, 0, 1]]> : tensor<2x3xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xi64>
func.func @constant() -> !torch.vtensor<[2,3],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[1.0, 0.0], [2.0, 3.0]]> : tensor<2x2xf32>} : () -> !torch.vtensor<[2,2],f32>
  %r = torch.operator "onnx.NonZero"(%x) : (!torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,3],si64>
  return %r : !torch.vtensor<[2,3],si64>
}

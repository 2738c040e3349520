// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Ones on the first diagonal above the main one.
// CHECK-LABEL: func.func @above(
// CHECK: %[[V0:.+]] = forge.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00]]> : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @above(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r = torch.operator "onnx.EyeLike"(%x) {torch.onnx.k = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}

// dtype may differ from the operand's type.
// CHECK-LABEL: func.func @integers(
// CHECK: %[[V0:.+]] = forge.constant dense<{{\[\[}}1, 0], [0, 1]]> : tensor<2x2xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2x2xi64>
func.func @integers(%x: !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,2],si64> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %r = torch.operator "onnx.EyeLike"(%x) {torch.onnx.dtype = 7 : si64} : (!torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,2],si64>
  return %r : !torch.vtensor<[2,2],si64>
}

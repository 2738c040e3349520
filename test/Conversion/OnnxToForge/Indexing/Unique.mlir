// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// The sorted unique values of a constant.
// CHECK-LABEL: func.func @sorted(
// CHECK: %[[V0:.+]] = forge.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<3xf32>
func.func @sorted() -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3.0, 1.0, 3.0, 2.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %r = torch.operator "onnx.Unique"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

// The unique values in the order of their first occurrence.
// CHECK-LABEL: func.func @unsorted(
// CHECK: %[[V0:.+]] = forge.constant dense<[3.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<3xf32>
func.func @unsorted() -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3.0, 1.0, 3.0, 2.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %r = torch.operator "onnx.Unique"(%x) {torch.onnx.sorted = 0 : si64} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

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

// Rows without elements are equal.
// CHECK-LABEL: func.func @rows_without_elements(
// CHECK-DAG: %[[V0:.+]] = forge.constant dense<> : tensor<1x0xf32>
// CHECK-DAG: %[[V1:.+]] = forge.constant dense<2> : tensor<1xi64>
// CHECK: return %[[V0]], %[[V1]] : tensor<1x0xf32>, tensor<1xi64>
func.func @rows_without_elements() -> (!torch.vtensor<[1,0],f32>, !torch.vtensor<[1],si64>) attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<> : tensor<2x0xf32>} : () -> !torch.vtensor<[2,0],f32>
  %r:4 = torch.operator "onnx.Unique"(%x) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,0],f32>) -> (!torch.vtensor<[1,0],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[2],si64>, !torch.vtensor<[1],si64>)
  return %r#0, %r#3 : !torch.vtensor<[1,0],f32>, !torch.vtensor<[1],si64>
}

// 2^64 - 1 is the largest number, not -1.
// CHECK-LABEL: func.func @unsigned(
// CHECK: %[[V0:.+]] = forge.constant dense<[2, 0, 1]> : tensor<3xi64>
// CHECK-NEXT: return %[[V0]] : tensor<3xi64>
func.func @unsigned() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[18446744073709551615, 1, 7]> : tensor<3xui64>} : () -> !torch.vtensor<[3],ui64>
  %r:3 = torch.operator "onnx.Unique"(%x) : (!torch.vtensor<[3],ui64>) -> (!torch.vtensor<[3],ui64>, !torch.vtensor<[3],si64>, !torch.vtensor<[3],si64>)
  return %r#2 : !torch.vtensor<[3],si64>
}

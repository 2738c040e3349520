// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @dynamic(
// CHECK: forge.wrap_index %arg1 size 4
// CHECK: forge.reshape %arg0 shape [8]
// CHECK: forge.adv_index
func.func @dynamic(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[2,1],si64>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r = torch.operator "onnx.GatherElements"(%arg0, %arg1) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2,1],si64>) -> !torch.vtensor<[2,1],f32>
  return %r : !torch.vtensor<[2,1],f32>
}

// Indices that are broadcast along the trailing axes select whole rows, separately in each batch.
// CHECK-LABEL: func.func @shared_by_rows(
// CHECK: %[[I:.+]] = forge.wrap_index {{.*}} size 5
// CHECK: forge.constant dense<{{\[\[}}0], [5]]>
// CHECK: %[[ROWS:.+]] = forge.reshape %arg0 shape [10, 4]
// CHECK: forge.embedding %{{.+}}, %[[ROWS]] : (tensor<2x3xi64>, tensor<10x4xf32>) -> tensor<2x3x4xf32>
func.func @shared_by_rows(%x: !torch.vtensor<[2,5,4],f32>, %i: !torch.vtensor<[2,3,1],si64>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3, 4]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %e = torch.operator "onnx.Expand"(%i, %s) : (!torch.vtensor<[2,3,1],si64>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[2,3,4],si64>
  %y = torch.operator "onnx.GatherElements"(%x, %e) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,5,4],f32>, !torch.vtensor<[2,3,4],si64>) -> !torch.vtensor<[2,3,4],f32>
  return %y : !torch.vtensor<[2,3,4],f32>
}

// If the indices have fewer columns than the operand, each element is gathered by itself.
// CHECK-LABEL: func.func @shared_by_parts_of_rows(
// CHECK: forge.adv_index %{{.+}}, %{{.+}} dim -1 : (tensor<40xf32>, tensor<18xi64>) -> tensor<18xf32>
func.func @shared_by_parts_of_rows(%x: !torch.vtensor<[2,5,4],f32>, %i: !torch.vtensor<[2,3,1],si64>) -> !torch.vtensor<[2,3,3],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3, 3]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %e = torch.operator "onnx.Expand"(%i, %s) : (!torch.vtensor<[2,3,1],si64>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[2,3,3],si64>
  %y = torch.operator "onnx.GatherElements"(%x, %e) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,5,4],f32>, !torch.vtensor<[2,3,3],si64>) -> !torch.vtensor<[2,3,3],f32>
  return %y : !torch.vtensor<[2,3,3],f32>
}

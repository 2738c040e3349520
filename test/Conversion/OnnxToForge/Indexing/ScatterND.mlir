// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: forge.concatenate %arg0, %arg1 axis -2 :
// CHECK: forge.
func.func @rows(%arg0: !torch.vtensor<[3,2],f32>, %arg1: !torch.vtensor<[1,2],f32>) -> !torch.vtensor<[3,2],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[1]]> : tensor<1x1xsi64>} : () -> !torch.vtensor<[1,1],si64>
  %r = torch.operator "onnx.ScatterND"(%arg0, %c0, %arg1) : (!torch.vtensor<[3,2],f32>, !torch.vtensor<[1,1],si64>, !torch.vtensor<[1,2],f32>) -> !torch.vtensor<[3,2],f32>
  return %r : !torch.vtensor<[3,2],f32>
}

// cache[:, positions] = update: the index tuples enumerate the first axis, and the positions are equal for all of its
// slices.
// CHECK-LABEL: func.func @cache(
// CHECK: %[[ROW:.+]] = forge.reshape %arg1 shape [1, 2]
// CHECK: %[[INDICES:.+]] = forge.wrap_index %[[ROW]]
// CHECK: %[[WRAPPED:.+]] = forge.reshape %[[INDICES]] shape [1, 2, 1]
// CHECK: forge.strided_slice %[[WRAPPED]] dim 1 [0:1]
// CHECK: %[[FIRST:.+]] = forge.where {{.*}}, %arg0 :
// CHECK: forge.strided_slice %[[WRAPPED]] dim 1 [1:2]
// CHECK: %[[SECOND:.+]] = forge.where {{.*}}, %[[FIRST]] :
// CHECK: return %[[SECOND]] : tensor<2x5x3xf32>
func.func @cache(%cache: !torch.vtensor<[2,5,3],f32>, %positions: !torch.vtensor<[2],si64>, %update: !torch.vtensor<[2,2,3],f32>) -> !torch.vtensor<[2,5,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %first = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[[0], [0]], [[1], [1]]]> : tensor<2x2x1xsi64>} : () -> !torch.vtensor<[2,2,1],si64>
  %shape = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %last = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %all = torch.operator "onnx.Expand"(%positions, %shape) : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,2],si64>
  %second = torch.operator "onnx.Unsqueeze"(%all, %last) : (!torch.vtensor<[2,2],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,2,1],si64>
  %tuples = torch.operator "onnx.Concat"(%first, %second) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[2,2,1],si64>, !torch.vtensor<[2,2,1],si64>) -> !torch.vtensor<[2,2,2],si64>
  %r = torch.operator "onnx.ScatterND"(%cache, %tuples, %update) : (!torch.vtensor<[2,5,3],f32>, !torch.vtensor<[2,2,2],si64>, !torch.vtensor<[2,2,3],f32>) -> !torch.vtensor<[2,5,3],f32>
  return %r : !torch.vtensor<[2,5,3],f32>
}

// All index tuples address the second slice of the first axis: four rows are updated separately.
// CHECK-LABEL: func.func @one_slice(
// CHECK-COUNT-4: forge.where {{.*}}tensor<10x3xf32>
// CHECK: return
func.func @one_slice(%cache: !torch.vtensor<[2,5,3],f32>, %positions: !torch.vtensor<[2,2,1],si64>, %update: !torch.vtensor<[2,2,3],f32>) -> !torch.vtensor<[2,5,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %first = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<2x2x1xsi64>} : () -> !torch.vtensor<[2,2,1],si64>
  %tuples = torch.operator "onnx.Concat"(%first, %positions) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[2,2,1],si64>, !torch.vtensor<[2,2,1],si64>) -> !torch.vtensor<[2,2,2],si64>
  %r = torch.operator "onnx.ScatterND"(%cache, %tuples, %update) : (!torch.vtensor<[2,5,3],f32>, !torch.vtensor<[2,2,2],si64>, !torch.vtensor<[2,2,3],f32>) -> !torch.vtensor<[2,5,3],f32>
  return %r : !torch.vtensor<[2,5,3],f32>
}

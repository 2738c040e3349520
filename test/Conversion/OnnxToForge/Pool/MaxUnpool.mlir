// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Constant indices address the flattened result: the elements are placed there, zeros elsewhere.
// CHECK-LABEL: func.func @constant_indices(
// CHECK-DAG: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[V1:.+]] = forge.reshape %arg0 shape [2] : (tensor<1x1x1x2xf32>) -> tensor<2xf32>
// CHECK-DAG: %[[V2:.+]] = forge.concatenate %[[V0]], %[[V1]] axis -1 : (tensor<8xf32>, tensor<2xf32>) -> tensor<10xf32>
// CHECK-DAG: %[[V3:.+]] = forge.constant dense<[0, 8, 2, 3, 4, 5, 9, 7]> : tensor<8xi64>
// CHECK-DAG: %[[V4:.+]] = forge.adv_index %[[V2]], %[[V3]] dim -1 : (tensor<10xf32>, tensor<8xi64>) -> tensor<8xf32>
// CHECK-DAG: %[[V5:.+]] = forge.reshape %[[V4]] shape [1, 1, 2, 4] : (tensor<8xf32>) -> tensor<1x1x2x4xf32>
// CHECK: return %[[V5]] : tensor<1x1x2x4xf32>
func.func @constant_indices(%x: !torch.vtensor<[1,1,1,2],f32>) -> !torch.vtensor<[1,1,2,4],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %i = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[[[1, 6]]]]> : tensor<1x1x1x2xsi64>} : () -> !torch.vtensor<[1,1,1,2],si64>
  %r = torch.operator "onnx.MaxUnpool"(%x, %i) {torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,1,1,2],f32>, !torch.vtensor<[1,1,1,2],si64>) -> !torch.vtensor<[1,1,2,4],f32>
  return %r : !torch.vtensor<[1,1,2,4],f32>
}

// Each position belongs to one window, whose index is compared with the position.
// CHECK-LABEL: func.func @of_a_pool(
// CHECK: %[[I:.+]] = forge.repeat_interleave %{{.+}} repeats 2 dim -1 : (tensor<1x2x8x4xi64>) -> tensor<1x2x8x8xi64>
// CHECK: %[[HIT:.+]] = forge.equal %[[I]], %{{.+}} : (tensor<1x2x8x8xi64>, tensor<1x1x8x8xi64>) -> tensor<1x2x8x8xi64>
// CHECK: forge.where
// CHECK-NOT: forge.where
func.func @of_a_pool(%x: !torch.vtensor<[1,2,8,8],f32>) -> !torch.vtensor<[1,2,8,8],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %v, %i = torch.operator "onnx.MaxPool"(%x) {torch.onnx.kernel_shape = [1 : si64, 2 : si64], torch.onnx.strides = [1 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,8],f32>) -> (!torch.vtensor<[1,2,8,4],f32>, !torch.vtensor<[1,2,8,4],si64>)
  %r = torch.operator "onnx.MaxUnpool"(%v, %i) {torch.onnx.kernel_shape = [1 : si64, 2 : si64], torch.onnx.strides = [1 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,4],f32>, !torch.vtensor<[1,2,8,4],si64>) -> !torch.vtensor<[1,2,8,8],f32>
  return %r : !torch.vtensor<[1,2,8,8],f32>
}

// Indices in column-major order, or of another window, are positions anywhere: one comparison for each of the 8 elements.
// CHECK-LABEL: func.func @column_major(
// CHECK-COUNT-8: forge.where
func.func @column_major(%x: !torch.vtensor<[1,1,4,4],f32>, %y: !torch.vtensor<[1,1,4,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %v, %i = torch.operator "onnx.MaxPool"(%x) {torch.onnx.storage_order = 1 : si64, torch.onnx.kernel_shape = [1 : si64, 2 : si64], torch.onnx.strides = [1 : si64, 2 : si64]} : (!torch.vtensor<[1,1,4,4],f32>) -> (!torch.vtensor<[1,1,4,2],f32>, !torch.vtensor<[1,1,4,2],si64>)
  %r = torch.operator "onnx.MaxUnpool"(%y, %i) {torch.onnx.kernel_shape = [1 : si64, 2 : si64], torch.onnx.strides = [1 : si64, 2 : si64]} : (!torch.vtensor<[1,1,4,2],f32>, !torch.vtensor<[1,1,4,2],si64>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

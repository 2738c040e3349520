// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Before opset 13 the sizes are an attribute.
// CHECK-LABEL: func.func @attribute(
// CHECK: %[[V0:.+]]:3 = forge.split %arg0 dim -3 sizes [2, 3, 5] : (tensor<10x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<3x4x4xf32>, tensor<5x4x4xf32>)
// CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1, %[[V0]]#2 : tensor<2x4x4xf32>, tensor<3x4x4xf32>, tensor<5x4x4xf32>
func.func @attribute(%arg0: !torch.vtensor<[10,4,4],f32>) -> (!torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>) attributes {torch.onnx_meta.opset_version = 2 : si64} {
  %r1_0, %r1_1, %r1_2 = torch.operator "onnx.Split"(%arg0) {torch.onnx.split = [2 : si64, 3 : si64, 5 : si64]} : (!torch.vtensor<[10,4,4],f32>) -> (!torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>)
  return %r1_0, %r1_1, %r1_2 : !torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>
}

// In version 1 the sizes may be an input as well.
// CHECK-LABEL: func.func @input_1(
// CHECK: %[[V0:.+]]:3 = forge.split %arg0 dim -3 sizes [2, 3, 5] : (tensor<10x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<3x4x4xf32>, tensor<5x4x4xf32>)
// CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1, %[[V0]]#2 : tensor<2x4x4xf32>, tensor<3x4x4xf32>, tensor<5x4x4xf32>
func.func @input_1(%arg0: !torch.vtensor<[10,4,4],f32>) -> (!torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>) attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3, 5]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %r2_0, %r2_1, %r2_2 = torch.operator "onnx.Split"(%arg0, %c1) : (!torch.vtensor<[10,4,4],f32>, !torch.vtensor<[3],si64>) -> (!torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>)
  return %r2_0, %r2_1, %r2_2 : !torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>
}

// Since opset 13 the sizes are an input.
// CHECK-LABEL: func.func @input(
// CHECK: %[[V0:.+]]:3 = forge.split %arg0 dim -3 sizes [2, 3, 5] : (tensor<10x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<3x4x4xf32>, tensor<5x4x4xf32>)
// CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1, %[[V0]]#2 : tensor<2x4x4xf32>, tensor<3x4x4xf32>, tensor<5x4x4xf32>
func.func @input(%arg0: !torch.vtensor<[10,4,4],f32>) -> (!torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3, 5]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %r2_0, %r2_1, %r2_2 = torch.operator "onnx.Split"(%arg0, %c1) {torch.onnx.axis = -3 : si64} : (!torch.vtensor<[10,4,4],f32>, !torch.vtensor<[3],si64>) -> (!torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>)
  return %r2_0, %r2_1, %r2_2 : !torch.vtensor<[2,4,4],f32>, !torch.vtensor<[3,4,4],f32>, !torch.vtensor<[5,4,4],f32>
}

// CHECK-LABEL: func.func @equal(
// CHECK: %[[V0:.+]]:3 = forge.split %arg0 dim -1 sizes [2, 2, 2] : (tensor<2x6xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
// CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1, %[[V0]]#2 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
func.func @equal(%arg0: !torch.vtensor<[2,6],f32>) -> (!torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>) attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r1_0, %r1_1, %r1_2 = torch.operator "onnx.Split"(%arg0) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,6],f32>) -> (!torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>)
  return %r1_0, %r1_1, %r1_2 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>
}

// With num_outputs, the last part may be smaller.
// CHECK-LABEL: func.func @uneven(
// CHECK: %[[V0:.+]]:3 = forge.split %arg0 dim -1 sizes [3, 3, 1] : (tensor<7xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<1xf32>)
// CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1, %[[V0]]#2 : tensor<3xf32>, tensor<3xf32>, tensor<1xf32>
func.func @uneven(%arg0: !torch.vtensor<[7],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1],f32>) attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %r1_0, %r1_1, %r1_2 = torch.operator "onnx.Split"(%arg0) {torch.onnx.num_outputs = 3 : si64} : (!torch.vtensor<[7],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1],f32>)
  return %r1_0, %r1_1, %r1_2 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1],f32>
}

// CHECK-LABEL: func.func @empty(
// CHECK: %[[V0:.+]]:2 = forge.split %arg0 dim -1 sizes [4, 0] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<0xf32>)
// CHECK-NEXT: return %[[V0]]#0, %[[V0]]#1 : tensor<4xf32>, tensor<0xf32>
func.func @empty(%arg0: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[0],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[4, 0]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2_0, %r2_1 = torch.operator "onnx.Split"(%arg0, %c1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[2],si64>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[0],f32>)
  return %r2_0, %r2_1 : !torch.vtensor<[4],f32>, !torch.vtensor<[0],f32>
}

// An absent output is an unused result of the split.
// CHECK-LABEL: func.func @unused(
// CHECK: %[[V0:.+]]:2 = forge.split %arg0 dim -1 sizes [1, 3] : (tensor<4xf32>) -> (tensor<1xf32>, tensor<3xf32>)
// CHECK-NEXT: return %[[V0]]#1 : tensor<3xf32>
func.func @unused(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2_0, %r2_1 = torch.operator "onnx.Split"(%arg0, %c1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[2],si64>) -> (!torch.none, !torch.vtensor<[3],f32>)
  return %r2_1 : !torch.vtensor<[3],f32>
}

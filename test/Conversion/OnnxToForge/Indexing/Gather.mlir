// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// A constant index becomes a slice; negative indices count from the end.
// CHECK-LABEL: func.func @one_index(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 0 [4:5] : (tensor<5x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %[[V0]] shape [4] : (tensor<1x4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<4xf32>
func.func @one_index(%arg0: !torch.vtensor<[5,4],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r2 = torch.operator "onnx.Gather"(%arg0, %c1) : (!torch.vtensor<[5,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
  return %r2 : !torch.vtensor<[4],f32>
}

// So do consecutive constant indices.
// CHECK-LABEL: func.func @consecutive_indices(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 0 [1:3] : (tensor<5x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x4xf32>
func.func @consecutive_indices(%arg0: !torch.vtensor<[5,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.Gather"(%arg0, %c1) : (!torch.vtensor<[5,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4],f32>
  return %r2 : !torch.vtensor<[2,4],f32>
}

// Other constant indices.
// CHECK-LABEL: func.func @constant(
// CHECK: %[[V0:.+]] = forge.constant dense<[3, 0]> : tensor<2xi64>
// CHECK-NEXT: %[[V1:.+]] = forge.adv_index %arg0, %[[V0]] dim -2 : (tensor<2x5x4xf32>, tensor<2xi64>) -> tensor<2x2x4xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %[[V1]] shape [2, 1, 2, 4] : (tensor<2x2x4xf32>) -> tensor<2x1x2x4xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x1x2x4xf32>
func.func @constant(%arg0: !torch.vtensor<[2,5,4],f32>) -> !torch.vtensor<[2,1,2,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[3, -5]]> : tensor<1x2xsi64>} : () -> !torch.vtensor<[1,2],si64>
  %r2 = torch.operator "onnx.Gather"(%arg0, %c1) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,5,4],f32>, !torch.vtensor<[1,2],si64>) -> !torch.vtensor<[2,1,2,4],f32>
  return %r2 : !torch.vtensor<[2,1,2,4],f32>
}

// Indices that are an input may be negative and are wrapped; the gather along axis 0 is an embedding.
// CHECK-LABEL: func.func @embedding(
// CHECK: %[[V0:.+]] = forge.wrap_index %arg1 size 10 : tensor<2x7xi64>
// CHECK-NEXT: %[[V1:.+]] = forge.embedding %[[V0]], %arg0 : (tensor<2x7xi64>, tensor<10x4xf32>) -> tensor<2x7x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x7x4xf32>
func.func @embedding(%arg0: !torch.vtensor<[10,4],f32>, %arg1: !torch.vtensor<[2,7],si64>) -> !torch.vtensor<[2,7,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Gather"(%arg0, %arg1) : (!torch.vtensor<[10,4],f32>, !torch.vtensor<[2,7],si64>) -> !torch.vtensor<[2,7,4],f32>
  return %r1 : !torch.vtensor<[2,7,4],f32>
}

// CHECK-LABEL: func.func @unknown(
// CHECK: %[[V0:.+]] = forge.wrap_index %arg1 size 5 : tensor<3xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.adv_index %arg0, %[[V0]] dim -1 : (tensor<2x5xf32>, tensor<3xi32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xf32>
func.func @unknown(%arg0: !torch.vtensor<[2,5],f32>, %arg1: !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Gather"(%arg0, %arg1) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[2,5],f32>, !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// Indices are wrapped before a reshape: the passes on slices then see the column and the wrapping next to each other.
// CHECK-LABEL: func.func @column(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg1 dim 1 [3:4] : (tensor<5x4xi64>) -> tensor<5x1xi64>
// CHECK-NEXT: %[[V1:.+]] = forge.wrap_index %[[V0]] size 10 : tensor<5x1xi64>
// CHECK-NEXT: %[[V2:.+]] = forge.reshape %[[V1]] shape [5]
// CHECK-NEXT: forge.embedding %[[V2]], %arg0
func.func @column(%arg0: !torch.vtensor<[10,4],f32>, %arg1: !torch.vtensor<[5,4],si64>) -> !torch.vtensor<[5,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r1 = torch.operator "onnx.Gather"(%arg1, %c) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[5,4],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[5],si64>
  %r2 = torch.operator "onnx.Gather"(%arg0, %r1) : (!torch.vtensor<[10,4],f32>, !torch.vtensor<[5],si64>) -> !torch.vtensor<[5,4],f32>
  return %r2 : !torch.vtensor<[5,4],f32>
}

// A gather from a constant is folded.
// CHECK-LABEL: func.func @folded(
// CHECK: %[[V0:.+]] = forge.constant dense<20> : tensor<i64>
// CHECK-NEXT: return %[[V0]] : tensor<i64>
func.func @folded() -> !torch.vtensor<[],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[10, 20, 30]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r3 = torch.operator "onnx.Gather"(%c1, %c2) : (!torch.vtensor<[3],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[],si64>
  return %r3 : !torch.vtensor<[],si64>
}

// CHECK-LABEL: func.func @empty(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<0x4xf32>
func.func @empty(%arg0: !torch.vtensor<[5,4],f32>) -> !torch.vtensor<[0,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<> : tensor<0xsi64>} : () -> !torch.vtensor<[0],si64>
  %r2 = torch.operator "onnx.Gather"(%arg0, %c1) : (!torch.vtensor<[5,4],f32>, !torch.vtensor<[0],si64>) -> !torch.vtensor<[0,4],f32>
  return %r2 : !torch.vtensor<[0,4],f32>
}

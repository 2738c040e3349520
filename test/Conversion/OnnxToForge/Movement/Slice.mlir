// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @attributes(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 0 [1:3] dim 1 [0:-1] : (tensor<4x5xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x4xf32>
func.func @attributes(%arg0: !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Slice"(%arg0) {torch.onnx.ends = [3 : si64, -1 : si64], torch.onnx.starts = [1 : si64, 0 : si64]} : (!torch.vtensor<[4,5],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// CHECK-LABEL: func.func @attribute_axes(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 1 [3:9223372036854775807] : (tensor<4x5xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x2xf32>
func.func @attribute_axes(%arg0: !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[4,2],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Slice"(%arg0) {torch.onnx.axes = [1 : si64], torch.onnx.ends = [9223372036854775807 : si64], torch.onnx.starts = [3 : si64]} : (!torch.vtensor<[4,5],f32>) -> !torch.vtensor<[4,2],f32>
  return %r1 : !torch.vtensor<[4,2],f32>
}

// CHECK-LABEL: func.func @inputs(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 0 [1:-1] : (tensor<4x5xf32>) -> tensor<2x5xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x5xf32>
func.func @inputs(%arg0: !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[2,5],f32> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r3 = torch.operator "onnx.Slice"(%arg0, %c1, %c2) : (!torch.vtensor<[4,5],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,5],f32>
  return %r3 : !torch.vtensor<[2,5],f32>
}

// CHECK-LABEL: func.func @steps(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 0 [3:-2147483648:-1] dim 1 [0:5:2] : (tensor<4x5xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4x3xf32>
func.func @steps(%arg0: !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[4,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 0]> : tensor<2xsi32>} : () -> !torch.vtensor<[2],si32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-2147483648, 5]> : tensor<2xsi32>} : () -> !torch.vtensor<[2],si32>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, -1]> : tensor<2xsi32>} : () -> !torch.vtensor<[2],si32>
  %c4 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-1, 2]> : tensor<2xsi32>} : () -> !torch.vtensor<[2],si32>
  %r5 = torch.operator "onnx.Slice"(%arg0, %c1, %c2, %c3, %c4) : (!torch.vtensor<[4,5],f32>, !torch.vtensor<[2],si32>, !torch.vtensor<[2],si32>, !torch.vtensor<[2],si32>, !torch.vtensor<[2],si32>) -> !torch.vtensor<[4,3],f32>
  return %r5 : !torch.vtensor<[4,3],f32>
}

// CHECK-LABEL: func.func @no_axes(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 0 [0:1] : (tensor<4x5xf32>) -> tensor<1x5xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x5xf32>
func.func @no_axes(%arg0: !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[1,5],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %none = torch.constant.none
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r4 = torch.operator "onnx.Slice"(%arg0, %c1, %c2, %none, %c3) : (!torch.vtensor<[4,5],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>, !torch.none, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,5],f32>
  return %r4 : !torch.vtensor<[1,5],f32>
}

// CHECK-LABEL: func.func @nothing(
// CHECK: return %arg0 : tensor<4xf32>
func.func @nothing(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<> : tensor<0xsi64>} : () -> !torch.vtensor<[0],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<> : tensor<0xsi64>} : () -> !torch.vtensor<[0],si64>
  %r3 = torch.operator "onnx.Slice"(%arg0, %c1, %c2) : (!torch.vtensor<[4],f32>, !torch.vtensor<[0],si64>, !torch.vtensor<[0],si64>) -> !torch.vtensor<[4],f32>
  return %r3 : !torch.vtensor<[4],f32>
}

// An empty result is a constant.
// CHECK-LABEL: func.func @empty(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0xf32>
// CHECK-NEXT: return %[[V0]] : tensor<0xf32>
func.func @empty(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[0],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r3 = torch.operator "onnx.Slice"(%arg0, %c1, %c2) : (!torch.vtensor<[4],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[0],f32>
  return %r3 : !torch.vtensor<[0],f32>
}

// With a negative step, a start below the axis is clamped to 0, so that the result has one element.
// CHECK-LABEL: func.func @folded(
// CHECK: %[[V0:.+]] = forge.constant dense<1> : tensor<1xi64>
// CHECK-NEXT: return %[[V0]] : tensor<1xi64>
func.func @folded() -> !torch.vtensor<[1],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2, 3, 4]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-100> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-9223372036854775808> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c4 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c5 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r6 = torch.operator "onnx.Slice"(%c1, %c2, %c3, %c4, %c5) : (!torch.vtensor<[4],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
  return %r6 : !torch.vtensor<[1],si64>
}

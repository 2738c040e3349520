// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @nearest(
// CHECK: forge.repeat_interleave %arg0 repeats 2 dim -2
// CHECK: forge.repeat_interleave %{{.*}} repeats 2 dim -1
func.func @nearest(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %e = torch.constant.none
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %r = torch.operator "onnx.Resize"(%arg0, %e, %c0) {torch.onnx.coordinate_transformation_mode = "asymmetric", torch.onnx.nearest_mode = "floor"} : (!torch.vtensor<[1,1,2,2],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// CHECK-LABEL: func.func @native(
// CHECK: forge.resize2d %arg0 sizes [4, 4] mode bilinear :
func.func @native(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %e = torch.constant.none
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %r = torch.operator "onnx.Resize"(%arg0, %e, %c0) {torch.onnx.mode = "linear"} : (!torch.vtensor<[1,1,2,2],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// CHECK-LABEL: func.func @corners(
// CHECK: forge.multiply
// CHECK: forge.multiply
// CHECK: forge.add
func.func @corners(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,2,3],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %e = torch.constant.none
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 1.0, 1.5]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %r = torch.operator "onnx.Resize"(%arg0, %e, %c0) {torch.onnx.mode = "linear", torch.onnx.coordinate_transformation_mode = "align_corners"} : (!torch.vtensor<[1,1,2,2],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,2,3],f32>
  return %r : !torch.vtensor<[1,1,2,3],f32>
}

// The result's rows 0 and 1 are the operand's rows 0.5 / 0.5 = 1 and 1.5 / 0.5 = 3.
// CHECK-LABEL: func.func @tf_half_pixel(
// CHECK: forge.strided_slice %arg0 dim 2 [1:{{.*}}:2]
// CHECK-NOT: forge.multiply
func.func @tf_half_pixel(%arg0: !torch.vtensor<[1,1,4,2],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %e = torch.constant.none
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 0.5, 1.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %r = torch.operator "onnx.Resize"(%arg0, %e, %c0) {torch.onnx.coordinate_transformation_mode = "tf_half_pixel_for_nn"} : (!torch.vtensor<[1,1,4,2],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2],f32>
}

// In float32, as in onnxruntime: element 1 of the result is element 1 / 0.2 = 5, although float32 rounds 0.2 up.
// CHECK-LABEL: func.func @scale_that_is_rounded(
// CHECK: forge.strided_slice %arg0 dim 3 [0:{{.*}}:5]
func.func @scale_that_is_rounded(%arg0: !torch.vtensor<[1,1,1,10],f32>) -> !torch.vtensor<[1,1,1,2],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %e = torch.constant.none
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 1.0, 0.2]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %r = torch.operator "onnx.Resize"(%arg0, %e, %c0) {torch.onnx.coordinate_transformation_mode = "asymmetric", torch.onnx.nearest_mode = "floor"} : (!torch.vtensor<[1,1,1,10],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,1,2],f32>
  return %r : !torch.vtensor<[1,1,1,2],f32>
}

// An axis of scale 1 stays, although (i + 0.5) / 1 is rounded up.
// CHECK-LABEL: func.func @tf_half_pixel_of_scale_1(
// CHECK-NEXT: return %arg0
func.func @tf_half_pixel_of_scale_1(%arg0: !torch.vtensor<[1,1,4,2],f32>) -> !torch.vtensor<[1,1,4,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %e = torch.constant.none
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1.0> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %r = torch.operator "onnx.Resize"(%arg0, %e, %c0) {torch.onnx.coordinate_transformation_mode = "tf_half_pixel_for_nn", torch.onnx.nearest_mode = "ceil"} : (!torch.vtensor<[1,1,4,2],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,2],f32>
  return %r : !torch.vtensor<[1,1,4,2],f32>
}

// A scale of 1.2 is rounded to float32. Coordinates such as 9 / 1.2 = 7.5, which is 7.4999995, count as halves.
// CHECK-LABEL: func.func @halves_of_a_scale(
// CHECK: forge.strided_slice %arg0 dim 3 [0:4]
// CHECK: forge.strided_slice %arg0 dim 3 [3:9]
// CHECK: forge.strided_slice %arg0 dim 3 [8:10]
func.func @halves_of_a_scale(%arg0: !torch.vtensor<[1,1,1,10],f32>) -> !torch.vtensor<[1,1,1,12],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %e = torch.constant.none
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 1.0, 1.2]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %r = torch.operator "onnx.Resize"(%arg0, %e, %c0) {torch.onnx.coordinate_transformation_mode = "asymmetric", torch.onnx.nearest_mode = "round_prefer_ceil"} : (!torch.vtensor<[1,1,1,10],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,1,12],f32>
  return %r : !torch.vtensor<[1,1,1,12],f32>
}

// With sizes, the scale is their ratio, 9 / 7: the coordinate of element 4 is (4 + 0.5) / scale - 0.5 = 3, although
// float64 gives 2.9999999999999996.
// CHECK-LABEL: func.func @integers_of_a_ratio(
// CHECK: forge.strided_slice %arg0 dim 3 [1:4]
// CHECK: forge.strided_slice %arg0 dim 3 [3:7]
func.func @integers_of_a_ratio(%arg0: !torch.vtensor<[1,1,1,7],f32>) -> !torch.vtensor<[1,1,1,9],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %e = torch.constant.none
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 1, 1, 9]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  %r = torch.operator "onnx.Resize"(%arg0, %e, %e, %c0) {torch.onnx.nearest_mode = "floor"} : (!torch.vtensor<[1,1,1,7],f32>, !torch.none, !torch.none, !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,1,1,9],f32>
  return %r : !torch.vtensor<[1,1,1,9],f32>
}

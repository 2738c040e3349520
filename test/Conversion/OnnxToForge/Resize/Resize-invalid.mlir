// RUN: forge-opt %s --convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @nn(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %e = torch.constant.none
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  // expected-error-re @+2 {{{{.*must be half_pixel, .* or half_pixel_symmetric, but is 'tf_half_pixel_for_nn'}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.Resize"(%arg0, %e, %c0) {torch.onnx.coordinate_transformation_mode = "tf_half_pixel_for_nn"} : (!torch.vtensor<[1,1,2,2],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// -----

// The scaled length is 3.2, not an integer: the reference aligns corners with 3.2, onnxruntime with 3.
func.func @fractional_length(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,4,3],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %none = torch.constant.none
  %scales = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 1.0, 0.8]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  // expected-error @+2 {{node '' (Resize, opset 19): align_corners with scales that give an axis the length 3.200000: onnx.reference and onnxruntime differ; give sizes instead}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>', '!torch.none', 'tensor<4xf32>')}}
  %0 = torch.operator "onnx.Resize"(%arg0, %none, %scales) {torch.onnx.coordinate_transformation_mode = "align_corners", torch.onnx.mode = "linear"} : (!torch.vtensor<[1,1,4,4],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,3],f32>
  return %0 : !torch.vtensor<[1,1,4,3],f32>
}

// -----

func.func @fractional_crop(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,4,3],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %roi = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]> : tensor<8xf32>} : () -> !torch.vtensor<[8],f32>
  %scales = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 1.0, 0.8]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  // expected-error @+2 {{node '' (Resize, opset 19): tf_crop_and_resize with scales that give an axis the length 3.200000: onnx.reference and onnxruntime differ; give sizes instead}}
  // expected-note @+1 {{operands}}
  %0 = torch.operator "onnx.Resize"(%arg0, %roi, %scales) {torch.onnx.coordinate_transformation_mode = "tf_crop_and_resize", torch.onnx.mode = "linear"} : (!torch.vtensor<[1,1,4,4],f32>, !torch.vtensor<[8],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,3],f32>
  return %0 : !torch.vtensor<[1,1,4,3],f32>
}

// -----

func.func @wide_kernel(%arg0: !torch.vtensor<[1,1,1,2000000000],f32>) -> !torch.vtensor<[1,1,1,1],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %none = torch.constant.none
  %sizes = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expected-error @+2 {{node '' (Resize, opset 18): antialiasing over more than 32 elements is too much to unroll}}
  // expected-note @+1 {{operands}}
  %0 = torch.operator "onnx.Resize"(%arg0, %none, %none, %sizes) {torch.onnx.mode = "linear", torch.onnx.antialias = 1 : si64} : (!torch.vtensor<[1,1,1,2000000000],f32>, !torch.none, !torch.none, !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,1,1,1],f32>
  return %0 : !torch.vtensor<[1,1,1,1],f32>
}

// -----

func.func @neither(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+2 {{[FM1412] node '' (Resize, opset 18): exactly one of 'scales' and 'sizes' must be given}}
  // expected-note @+1 {{operands}}
  %0 = torch.operator "onnx.Resize"(%arg0) : (!torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %0 : !torch.vtensor<[1,1,4,4],f32>
}

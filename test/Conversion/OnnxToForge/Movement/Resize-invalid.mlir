// RUN: forge-opt %s --convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @nn(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %e = torch.constant.none
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  // expected-error-re @+2 {{{{.*does not define.*}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.Resize"(%arg0, %e, %c0) {torch.onnx.coordinate_transformation_mode = "tf_half_pixel_for_nn"} : (!torch.vtensor<[1,1,2,2],f32>, !torch.none, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @larger(%arg0: !torch.vtensor<[1,1,2,2],f32>, %arg1: !torch.vtensor<[1,1,1,1],f32>) -> !torch.vtensor<[1,1,9,9],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error-re @+2 {{{{.*no defined place.*}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.ConvTranspose"(%arg0, %arg1) {torch.onnx.output_shape = [9 : si64, 9 : si64]} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[1,1,1,1],f32>) -> !torch.vtensor<[1,1,9,9],f32>
  return %r : !torch.vtensor<[1,1,9,9],f32>
}

// -----

// The pads differ, so that the bias is a separate addition, which would broadcast it.
func.func @bias(%arg0: !torch.vtensor<[1,1,3,3],f32>, %arg1: !torch.vtensor<[1,2,2,2],f32>, %arg2: !torch.vtensor<[1],f32>) -> !torch.vtensor<[1,2,3,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{there must be one bias per output channel}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.ConvTranspose"(%arg0, %arg1, %arg2) {torch.onnx.pads = [0 : si64, 0 : si64, 1 : si64, 1 : si64]} : (!torch.vtensor<[1,1,3,3],f32>, !torch.vtensor<[1,2,2,2],f32>, !torch.vtensor<[1],f32>) -> !torch.vtensor<[1,2,3,3],f32>
  return %r : !torch.vtensor<[1,2,3,3],f32>
}

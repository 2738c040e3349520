// RUN: forge-opt %s --convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @larger(%arg0: !torch.vtensor<[1,1,2,2],f32>, %arg1: !torch.vtensor<[1,1,1,1],f32>) -> !torch.vtensor<[1,1,9,9],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error-re @+2 {{{{.*no defined place.*}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.ConvTranspose"(%arg0, %arg1) {torch.onnx.output_shape = [9 : si64, 9 : si64]} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[1,1,1,1],f32>) -> !torch.vtensor<[1,1,9,9],f32>
  return %r : !torch.vtensor<[1,1,9,9],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @float(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],si32> attributes {torch.onnx_meta.opset_version = 26 : si64} {
  // expected-error-re @+2 {{{{.*only booleans and integers of 8 or 16 bits.*}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.BitCast"(%arg0) {torch.onnx.to = 6 : si64} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],si32>
  return %r : !torch.vtensor<[4],si32>
}

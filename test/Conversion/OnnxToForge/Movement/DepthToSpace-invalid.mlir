// RUN: forge-opt %s --convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @rest(%arg0: !torch.vtensor<[1,8,2,3],f32>) -> !torch.vtensor<[1,2,4,6],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error-re @+2 {{{{.*does not divide 8 channels.*}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.DepthToSpace"(%arg0) {torch.onnx.blocksize = 3 : si64} : (!torch.vtensor<[1,8,2,3],f32>) -> !torch.vtensor<[1,2,4,6],f32>
  return %r : !torch.vtensor<[1,2,4,6],f32>
}

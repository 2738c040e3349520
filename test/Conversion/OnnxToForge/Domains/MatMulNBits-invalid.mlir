// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[1,16],f32>, %w: !torch.vtensor<[2,1,4],ui8>, %s: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{the operands do not fit}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulNBits"(%x, %w, %s) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,4],ui8>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics

func.func @rank(%x: !torch.vtensor<[6,3],ui8>) -> !torch.vtensor<[5,3],ui8> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{the operand must have rank 3 or more}}
  // expected-note @+1 {{operands: }}
  %0 = torch.operator "onnx.NhwcMaxPool"(%x) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.kernel_shape = [2 : si64]} : (!torch.vtensor<[6,3],ui8>) -> !torch.vtensor<[5,3],ui8>
  return %0 : !torch.vtensor<[5,3],ui8>
}

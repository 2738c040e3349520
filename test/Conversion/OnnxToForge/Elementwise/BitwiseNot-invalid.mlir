// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @wraps(%arg0: !torch.vtensor<[3],ui64>) -> !torch.vtensor<[3],ui64> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+2 {{node '' (BitwiseNot, opset 18): results in uint64 may not fit Int32, in which the device computes; cast to int32 first}}
  // expected-note @+1 {{operands: ('tensor<3xui64>')}}
  %r = torch.operator "onnx.BitwiseNot"(%arg0) : (!torch.vtensor<[3],ui64>) -> !torch.vtensor<[3],ui64>
  return %r : !torch.vtensor<[3],ui64>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// -(-128) is -128.
func.func @wraps(%arg0: !torch.vtensor<[2],si8>) -> !torch.vtensor<[2],si8> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Neg, opset 13): arithmetic on i8 wraps, which Int32 on the device does not; cast to int32 first}}
  // expected-note @+1 {{operands: ('tensor<2xi8>')}}
  %r1 = torch.operator "onnx.Neg"(%arg0) : (!torch.vtensor<[2],si8>) -> !torch.vtensor<[2],si8>
  return %r1 : !torch.vtensor<[2],si8>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @fraction(%arg0: !torch.vtensor<[3],si32>) -> !torch.vtensor<[3],si32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{node '' (Shrink, opset 9): a shrink of integers needs a whole 'bias', and parameters that fit Int32}}
  // expected-note @+1 {{operands: ('tensor<3xi32>')}}
  %r = torch.operator "onnx.Shrink"(%arg0) {torch.onnx.bias = 0.5 : f32} : (!torch.vtensor<[3],si32>) -> !torch.vtensor<[3],si32>
  return %r : !torch.vtensor<[3],si32>
}

// -----

func.func @large(%arg0: !torch.vtensor<[3],si32>) -> !torch.vtensor<[3],si32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{node '' (Shrink, opset 9): a shrink of integers needs a whole 'bias', and parameters that fit Int32}}
  // expected-note @+1 {{operands: ('tensor<3xi32>')}}
  %r = torch.operator "onnx.Shrink"(%arg0) {torch.onnx.lambd = 2.0e9 : f32} : (!torch.vtensor<[3],si32>) -> !torch.vtensor<[3],si32>
  return %r : !torch.vtensor<[3],si32>
}

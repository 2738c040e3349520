// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (LogSoftmax, opset 13): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.LogSoftmax"(%arg0) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (LogSoftmax, opset 13): expected a floating-point operand}}
  // expected-note @+1 {{operands: ('tensor<2x3xi32>')}}
  %r1 = torch.operator "onnx.LogSoftmax"(%arg0) : (!torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],si32>
  return %r1 : !torch.vtensor<[2,3],si32>
}

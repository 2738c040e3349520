// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @integers(%arg0: !torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Reciprocal, opset 13): 'forge.divide' op (C1) expected a floating-point operand, but got 'tensor<i32>'}}
  // expected-note @+1 {{operands: ('tensor<2xi32>')}}
  %r1 = torch.operator "onnx.Reciprocal"(%arg0) : (!torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32>
  return %r1 : !torch.vtensor<[2],si32>
}

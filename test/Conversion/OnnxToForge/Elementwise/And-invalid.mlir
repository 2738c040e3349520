// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @shapes(%arg0: !torch.vtensor<[2],i1>, %arg1: !torch.vtensor<[3],i1>) -> !torch.vtensor<[3],i1> attributes {torch.onnx_meta.opset_version = 7 : si64} {
  // expected-error @+2 {{node '' (And, opset 7): 'forge.multiply' op (C2) shapes [2] and [3] do not broadcast}}
  // expected-note @+1 {{operands: ('tensor<2xi1>', 'tensor<3xi1>')}}
  %r1 = torch.operator "onnx.And"(%arg0, %arg1) : (!torch.vtensor<[2],i1>, !torch.vtensor<[3],i1>) -> !torch.vtensor<[3],i1>
  return %r1 : !torch.vtensor<[3],i1>
}

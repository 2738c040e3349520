// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @empty(%arg0: !torch.vtensor<[1,2,0],f32>) -> !torch.vtensor<[1,2,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @+2 {{node '' (GlobalAveragePool, opset 22): a pool over an empty axis is not supported}}
  // expected-note @+1 {{operands: ('tensor<1x2x0xf32>')}}
  %r1 = torch.operator "onnx.GlobalAveragePool"(%arg0) : (!torch.vtensor<[1,2,0],f32>) -> !torch.vtensor<[1,2,1],f32>
  return %r1 : !torch.vtensor<[1,2,1],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[1,2,8],si32>) -> !torch.vtensor<[1,2,1],si32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @+2 {{node '' (GlobalAveragePool, opset 22): 'forge.reduce_avg' op (C3) expected a floating-point operand, but got 'tensor<1x2x8xi32>'}}
  // expected-note @+1 {{operands: ('tensor<1x2x8xi32>')}}
  %r1 = torch.operator "onnx.GlobalAveragePool"(%arg0) : (!torch.vtensor<[1,2,8],si32>) -> !torch.vtensor<[1,2,1],si32>
  return %r1 : !torch.vtensor<[1,2,1],si32>
}

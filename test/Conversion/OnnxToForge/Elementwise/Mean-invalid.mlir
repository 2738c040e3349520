// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// Before opset 8, operands are not broadcast.
func.func @broadcast(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  // expected-error @+2 {{node '' (Mean, opset 6): shapes differ, which this op allows only since opset 8}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.Mean"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @types(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f16>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Mean, opset 13): expected operands of one type}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3xf16>')}}
  %r1 = torch.operator "onnx.Mean"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f16>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[2],si32>, %arg1: !torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Mean, opset 13): 'forge.divide' op (C1) expected a floating-point operand, but got 'tensor<2xi32>'}}
  // expected-note @+1 {{operands: ('tensor<2xi32>', 'tensor<2xi32>')}}
  %r1 = torch.operator "onnx.Mean"(%arg0, %arg1) : (!torch.vtensor<[2],si32>, !torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32>
  return %r1 : !torch.vtensor<[2],si32>
}

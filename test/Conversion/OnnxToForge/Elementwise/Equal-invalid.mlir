// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @types(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],i1> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  // expected-error @+2 {{node '' (Equal, opset 19): 'forge.equal' op (C1) expected operands of element type 'f32', but got 'tensor<2xi64>'}}
  // expected-note @+1 {{operands: ('tensor<2xf32>', 'tensor<2xi64>')}}
  %r1 = torch.operator "onnx.Equal"(%arg0, %arg1) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],i1>
  return %r1 : !torch.vtensor<[2],i1>
}

// -----

func.func @shapes(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],i1> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  // expected-error @+2 {{node '' (Equal, opset 19): 'forge.equal' op (C2) shapes [2] and [3] do not broadcast}}
  // expected-note @+1 {{operands: ('tensor<2xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.Equal"(%arg0, %arg1) : (!torch.vtensor<[2],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],i1>
  return %r1 : !torch.vtensor<[3],i1>
}

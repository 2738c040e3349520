// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @square(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @+2 {{node '' (Det, opset 22): expected square floating-point matrices that are not empty}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r = torch.operator "onnx.Det"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[2,2],si32>) -> !torch.vtensor<[],si32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @+2 {{node '' (Det, opset 22): expected square floating-point matrices that are not empty}}
  // expected-note @+1 {{operands: ('tensor<2x2xi32>')}}
  %r = torch.operator "onnx.Det"(%arg0) : (!torch.vtensor<[2,2],si32>) -> !torch.vtensor<[],si32>
  return %r : !torch.vtensor<[],si32>
}

// -----

func.func @large(%arg0: !torch.vtensor<[4,4],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @+2 {{node '' (Det, opset 22): a matrix of more than 3 rows is too much to unroll}}
  // expected-note @+1 {{operands: ('tensor<4x4xf32>')}}
  %r = torch.operator "onnx.Det"(%arg0) : (!torch.vtensor<[4,4],f32>) -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

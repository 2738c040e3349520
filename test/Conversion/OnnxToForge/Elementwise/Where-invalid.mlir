// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @types(%arg0: !torch.vtensor<[2],i1>, %arg1: !torch.vtensor<[2],f32>, %arg2: !torch.vtensor<[2],f16>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (Where, opset 16): 'forge.where' op (C1) expected operands of element type 'f32', but got 'tensor<2xf16>'}}
  // expected-note @+1 {{operands: ('tensor<2xi1>', 'tensor<2xf32>', 'tensor<2xf16>')}}
  %r1 = torch.operator "onnx.Where"(%arg0, %arg1, %arg2) : (!torch.vtensor<[2],i1>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f16>) -> !torch.vtensor<[2],f32>
  return %r1 : !torch.vtensor<[2],f32>
}

// -----

func.func @shapes(%arg0: !torch.vtensor<[4],i1>, %arg1: !torch.vtensor<[2],f32>, %arg2: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (Where, opset 16): 'forge.where' op (C2) shapes [4] and [2] do not broadcast}}
  // expected-note @+1 {{operands: ('tensor<4xi1>', 'tensor<2xf32>', 'tensor<2xf32>')}}
  %r1 = torch.operator "onnx.Where"(%arg0, %arg1, %arg2) : (!torch.vtensor<[4],i1>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32>
  return %r1 : !torch.vtensor<[4],f32>
}

// -----

func.func @missing(%arg0: !torch.vtensor<[2],i1>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (Where, opset 16): input 2 is missing}}
  // expected-note @+1 {{operands: ('tensor<2xi1>', 'tensor<2xf32>')}}
  %r1 = torch.operator "onnx.Where"(%arg0, %arg1) : (!torch.vtensor<[2],i1>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %r1 : !torch.vtensor<[2],f32>
}

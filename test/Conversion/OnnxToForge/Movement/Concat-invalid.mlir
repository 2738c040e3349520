// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Concat, opset 13): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Concat"(%arg0, %arg1) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @no_axis(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 4 : si64} {
  // expected-error @+2 {{node '' (Concat, opset 4): attribute 'axis' is missing}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Concat"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @ranks(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Concat, opset 13): the inputs differ in rank}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.Concat"(%arg0, %arg1) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @dims(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[4,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Concat, opset 13): 'forge.concatenate' op (C3) expected dims other than -2 as in 'tensor<2x3xf32>', but got 'tensor<2x4xf32>'}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x4xf32>')}}
  %r1 = torch.operator "onnx.Concat"(%arg0, %arg1) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[4,3],f32>
  return %r1 : !torch.vtensor<[4,3],f32>
}

// -----

func.func @types(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],f16>) -> !torch.vtensor<[4,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Concat, opset 13): 'forge.concatenate' op (C1) expected operands of element type 'f32', but got 'tensor<2x3xf16>'}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x3xf16>')}}
  %r1 = torch.operator "onnx.Concat"(%arg0, %arg1) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f16>) -> !torch.vtensor<[4,3],f32>
  return %r1 : !torch.vtensor<[4,3],f32>
}

// -----

func.func @absent(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %none = torch.constant.none
  // expected-error @+2 {{node '' (Concat, opset 13): input 1 is missing}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', '!torch.none')}}
  %r1 = torch.operator "onnx.Concat"(%arg0, %none) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[2,3],f32>, !torch.none) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @nothing() -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Concat, opset 13): there are no inputs}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Concat"() {torch.onnx.axis = 0 : si64} : () -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

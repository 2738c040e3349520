// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],si64>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (GatherElements, opset 13): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x3xi64>')}}
  %r = torch.operator "onnx.GatherElements"(%arg0, %arg1) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],si64>) -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}

// -----

func.func @floats(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (GatherElements, opset 13): indices must be integers}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x3xf32>')}}
  %r = torch.operator "onnx.GatherElements"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}

// -----

func.func @rank(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (GatherElements, opset 13): the indices do not fit the operand}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xi64>')}}
  %r = torch.operator "onnx.GatherElements"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

func.func @shape(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,4],si64>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (GatherElements, opset 13): the indices do not fit the operand}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x4xi64>')}}
  %r = torch.operator "onnx.GatherElements"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,4],si64>) -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @outside(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[2, 0, 0]]> : tensor<1x3xsi64>} : () -> !torch.vtensor<[1,3],si64>
  // expected-error @+2 {{node '' (GatherElements, opset 13): index 2 is outside an axis of size 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<1x3xi64>')}}
  %r = torch.operator "onnx.GatherElements"(%arg0, %c0) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1,3],si64>) -> !torch.vtensor<[1,3],f32>
  return %r : !torch.vtensor<[1,3],f32>
}

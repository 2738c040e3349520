// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @count(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,9],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Tile, opset 13): repeats must have one count per axis, none negative}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<1xi64>')}}
  %r2 = torch.operator "onnx.Tile"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,9],f32>
  return %r2 : !torch.vtensor<[2,9],f32>
}

// -----

func.func @negative(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Tile, opset 13): repeats must have one count per axis, none negative}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Tile"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @huge(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<9223372036854775807> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Tile, opset 13): 'forge.repeat' op (C1) expected 'repeats' that fit, but got [9223372036854775807, 9223372036854775807]}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Tile"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @huge_empty(%arg0: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[0,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 2305843009213693952]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Tile, opset 13): a result size does not fit 63 bits}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Tile"(%arg0, %c1) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[0,3],f32>
  return %r2 : !torch.vtensor<[0,3],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,12],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  // expected-error @+2 {{node '' (Tile, opset 1): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<f32>', 'tensor<f32>')}}
  %r3 = torch.operator "onnx.Tile"(%arg0, %c1, %c2) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,12],f32>
  return %r3 : !torch.vtensor<[2,12],f32>
}

// -----

func.func @two_counts(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,12],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4.0> : tensor<2xf32>} : () -> !torch.vtensor<[2],f32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  // expected-error @+2 {{node '' (Tile, opset 1): tiles (input 1) must have one element, but has 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xf32>', 'tensor<f32>')}}
  %r3 = torch.operator "onnx.Tile"(%arg0, %c1, %c2) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,12],f32>
  return %r3 : !torch.vtensor<[2,12],f32>
}

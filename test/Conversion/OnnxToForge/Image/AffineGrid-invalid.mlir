// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown_size(%arg0: !torch.vtensor<[1,2,3],f32>, %arg1: !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  // expected-error @+3 {{node '' (AffineGrid, opset 20): size (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<1x2x3xf32>', 'tensor<4xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.AffineGrid"(%arg0, %arg1) : (!torch.vtensor<[1,2,3],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,2,2,2],f32>
  return %r : !torch.vtensor<[1,2,2,2],f32>
}

// -----

func.func @theta(%arg0: !torch.vtensor<[1,3,3],f32>) -> !torch.vtensor<[1,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 1, 2, 2]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expected-error @+2 {{node '' (AffineGrid, opset 20): theta does not fit the size, which must have two or three spatial axes}}
  // expected-note @+1 {{operands: ('tensor<1x3x3xf32>', 'tensor<4xi64>')}}
  %r = torch.operator "onnx.AffineGrid"(%arg0, %c0) : (!torch.vtensor<[1,3,3],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,2,2,2],f32>
  return %r : !torch.vtensor<[1,2,2,2],f32>
}

// -----

func.func @one_axis(%arg0: !torch.vtensor<[1,2,3],f32>) -> !torch.vtensor<[1,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 1, 2]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  // expected-error @+2 {{node '' (AffineGrid, opset 20): theta does not fit the size, which must have two or three spatial axes}}
  // expected-note @+1 {{operands: ('tensor<1x2x3xf32>', 'tensor<3xi64>')}}
  %r = torch.operator "onnx.AffineGrid"(%arg0, %c0) : (!torch.vtensor<[1,2,3],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[1,2,2],f32>
  return %r : !torch.vtensor<[1,2,2],f32>
}

// -----

func.func @empty(%arg0: !torch.vtensor<[1,2,3],f32>) -> !torch.vtensor<[1,0,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 1, 0, 2]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expected-error @+2 {{[FM1404] node '' (AffineGrid, opset 20): a spatial axis is empty, too long, or has no second corner to align}}
  // expected-note @+1 {{operands: ('tensor<1x2x3xf32>', 'tensor<4xi64>')}}
  %r = torch.operator "onnx.AffineGrid"(%arg0, %c0) : (!torch.vtensor<[1,2,3],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,0,2,2],f32>
  return %r : !torch.vtensor<[1,0,2,2],f32>
}

// -----

func.func @no_second_corner(%arg0: !torch.vtensor<[1,2,3],f32>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 1, 1, 2]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expected-error @+2 {{[FM1404] node '' (AffineGrid, opset 20): a spatial axis is empty, too long, or has no second corner to align}}
  // expected-note @+1 {{operands: ('tensor<1x2x3xf32>', 'tensor<4xi64>')}}
  %r = torch.operator "onnx.AffineGrid"(%arg0, %c0) {torch.onnx.align_corners = 1 : si64} : (!torch.vtensor<[1,2,3],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2],f32>
}

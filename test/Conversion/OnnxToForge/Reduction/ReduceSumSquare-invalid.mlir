// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ReduceSumSquare, opset 13): axes 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r = torch.operator "onnx.ReduceSumSquare"(%arg0) {torch.onnx.axes = [2 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32>
  return %r : !torch.vtensor<[2,1],f32>
}

// -----

func.func @twice(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ReduceSumSquare, opset 13): axes name axis 0 twice}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r = torch.operator "onnx.ReduceSumSquare"(%arg0) {torch.onnx.axes = [0 : si64, -2 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],f32>
  return %r : !torch.vtensor<[1,3],f32>
}

// -----

func.func @unknown_axes(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+3 {{node '' (ReduceSumSquare, opset 18): axes (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<2x3xf32>', 'tensor<1xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.ReduceSumSquare"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,3],f32>
  return %r : !torch.vtensor<[1,3],f32>
}

// -----

func.func @unsigned(%arg0: !torch.vtensor<[2,3],ui32>) -> !torch.vtensor<[1,1],ui32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ReduceSumSquare, opset 13): a result of an unsigned type may not fit Int32 on the device; cast to int32 first}}
  // expected-note @+1 {{operands: ('tensor<2x3xui32>')}}
  %r = torch.operator "onnx.ReduceSumSquare"(%arg0) : (!torch.vtensor<[2,3],ui32>) -> !torch.vtensor<[1,1],ui32>
  return %r : !torch.vtensor<[1,1],ui32>
}

// -----

// Without a reduction, elements are squared all the same.
func.func @unsigned_squares(%arg0: !torch.vtensor<[2],ui64>) -> !torch.vtensor<[2],ui64> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+2 {{node '' (ReduceSumSquare, opset 18): a result of an unsigned type may not fit Int32 on the device; cast to int32 first}}
  // expected-note @+1 {{operands: ('tensor<2xui64>')}}
  %r = torch.operator "onnx.ReduceSumSquare"(%arg0) {torch.onnx.noop_with_empty_axes = 1 : si64} : (!torch.vtensor<[2],ui64>) -> !torch.vtensor<[2],ui64>
  return %r : !torch.vtensor<[2],ui64>
}

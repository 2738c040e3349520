// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ReduceMin, opset 13): axes 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r = torch.operator "onnx.ReduceMin"(%arg0) {torch.onnx.axes = [2 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32>
  return %r : !torch.vtensor<[2,1],f32>
}

// -----

func.func @twice(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ReduceMin, opset 13): axes name axis 0 twice}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r = torch.operator "onnx.ReduceMin"(%arg0) {torch.onnx.axes = [0 : si64, -2 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,3],f32>
  return %r : !torch.vtensor<[1,3],f32>
}

// -----

func.func @unknown_axes(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+3 {{node '' (ReduceMin, opset 18): axes (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<2x3xf32>', 'tensor<1xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.ReduceMin"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,3],f32>
  return %r : !torch.vtensor<[1,3],f32>
}

// -----

func.func @empty(%arg0: !torch.vtensor<[0],si64>) -> !torch.vtensor<[1],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ReduceMin, opset 13): the result for an empty set is not defined, or does not fit the device's type}}
  // expected-note @+1 {{operands: ('tensor<0xi64>')}}
  %r = torch.operator "onnx.ReduceMin"(%arg0) : (!torch.vtensor<[0],si64>) -> !torch.vtensor<[1],si64>
  return %r : !torch.vtensor<[1],si64>
}

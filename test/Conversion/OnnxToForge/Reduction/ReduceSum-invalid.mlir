// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (ReduceSum, opset 13): axes 3 is outside rank 3}}
  // expected-note @+1 {{operands: ('tensor<2x3x4xf32>', 'tensor<1xi64>')}}
  %r2 = torch.operator "onnx.ReduceSum"(%arg0, %c1) : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,3,4],f32>
  return %r2 : !torch.vtensor<[2,3,4],f32>
}

// -----

func.func @twice(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, -2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (ReduceSum, opset 13): axes name axis 1 twice}}
  // expected-note @+1 {{operands: ('tensor<2x3x4xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.ReduceSum"(%arg0, %c1) : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3,4],f32>
  return %r2 : !torch.vtensor<[2,3,4],f32>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+3 {{node '' (ReduceSum, opset 13): axes (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<2x3x4xf32>', 'tensor<1xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %r1 = torch.operator "onnx.ReduceSum"(%arg0, %arg1) : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// -----

// The attribute of earlier opsets is not applied silently: the result differs from the declared shape.
func.func @old_attribute(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ReduceSum, opset 13): output 0 is computed as tensor<1x1x1xf32>, but the model declares !torch.vtensor<[2,3,4],f32>}}
  // expected-note @+1 {{operands: ('tensor<2x3x4xf32>')}}
  %r1 = torch.operator "onnx.ReduceSum"(%arg0) {torch.onnx.axes = [0 : si64]} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// -----

// Before opset 13, the axes are no input.
func.func @early_input(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1,3,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (ReduceSum, opset 11): output 0 is computed as tensor<1x1x1xf32>, but the model declares !torch.vtensor<[1,3,4],f32>}}
  // expected-note @+1 {{operands: ('tensor<2x3x4xf32>', 'tensor<1xi64>')}}
  %r2 = torch.operator "onnx.ReduceSum"(%arg0, %c1) : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,3,4],f32>
  return %r2 : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @keepdims(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ReduceSum, opset 13): attribute 'keepdims' must be 0 or 1, but is 2}}
  // expected-note @+1 {{operands: ('tensor<2x3x4xf32>')}}
  %r1 = torch.operator "onnx.ReduceSum"(%arg0) {torch.onnx.keepdims = 2 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// -----

// Forge's reductions accept the first and the last four axes only.
func.func @fifth_axis(%arg0: !torch.vtensor<[1,1,1,1,2,1,1,1,1],f32>) -> !torch.vtensor<[1,1,1,1,1,1,1,1,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (ReduceSum, opset 13): 'forge.reduce_sum' op (C1) expected 'dim' in [-4, 3], but got 4}}
  // expected-note @+1 {{operands: ('tensor<1x1x1x1x2x1x1x1x1xf32>', 'tensor<1xi64>')}}
  %r2 = torch.operator "onnx.ReduceSum"(%arg0, %c1) : (!torch.vtensor<[1,1,1,1,2,1,1,1,1],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,1,1,1,1,1,1,1,1],f32>
  return %r2 : !torch.vtensor<[1,1,1,1,1,1,1,1,1],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @indices(%arg0: !torch.vtensor<[1,1,2,2],f32>, %arg1: !torch.vtensor<[1,1,2,3],si64>) -> !torch.vtensor<[1,1,3,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (MaxUnpool, opset 11): the operand, the indices and the window do not fit each other}}
  // expected-note @+1 {{operands: ('tensor<1x1x2x2xf32>', 'tensor<1x1x2x3xi64>')}}
  %r = torch.operator "onnx.MaxUnpool"(%arg0, %arg1) {torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[1,1,2,3],si64>) -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

// -----

func.func @kernel(%arg0: !torch.vtensor<[1,1,2,2],f32>, %arg1: !torch.vtensor<[1,1,2,2],si64>) -> !torch.vtensor<[1,1,3,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (MaxUnpool, opset 11): the operand, the indices and the window do not fit each other}}
  // expected-note @+1 {{operands: ('tensor<1x1x2x2xf32>', 'tensor<1x1x2x2xi64>')}}
  %r = torch.operator "onnx.MaxUnpool"(%arg0, %arg1) {torch.onnx.kernel_shape = [2 : si64]} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[1,1,2,2],si64>) -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

// -----

func.func @smaller(%arg0: !torch.vtensor<[1,1,2,2],f32>, %arg1: !torch.vtensor<[1,1,2,2],si64>) -> !torch.vtensor<[1,1,2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 1, 2, 2]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expected-error @+2 {{node '' (MaxUnpool, opset 11): the result has an axis of size 3, which does not fit}}
  // expected-note @+1 {{operands: ('tensor<1x1x2x2xf32>', 'tensor<1x1x2x2xi64>', 'tensor<4xi64>')}}
  %r = torch.operator "onnx.MaxUnpool"(%arg0, %arg1, %c0) {torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[1,1,2,2],si64>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,1,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2],f32>
}

// -----

func.func @size(%arg0: !torch.vtensor<[1,1,2,2],f32>, %arg1: !torch.vtensor<[1,1,2,2],si64>) -> !torch.vtensor<[1,1,30002,40002],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (MaxUnpool, opset 11): the result has an axis of size 40002, which does not fit}}
  // expected-note @+1 {{operands: ('tensor<1x1x2x2xf32>', 'tensor<1x1x2x2xi64>')}}
  %r = torch.operator "onnx.MaxUnpool"(%arg0, %arg1) {torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.strides = [30000 : si64, 40000 : si64]} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[1,1,2,2],si64>) -> !torch.vtensor<[1,1,30002,40002],f32>
  return %r : !torch.vtensor<[1,1,30002,40002],f32>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<[1,1,2,2],f32>, %arg1: !torch.vtensor<[1,1,2,2],si64>, %arg2: !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,1,3,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+3 {{node '' (MaxUnpool, opset 11): output_shape (input 2) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<1x1x2x2xf32>', 'tensor<1x1x2x2xi64>', 'tensor<4xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.MaxUnpool"(%arg0, %arg1, %arg2) {torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[1,1,2,2],si64>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

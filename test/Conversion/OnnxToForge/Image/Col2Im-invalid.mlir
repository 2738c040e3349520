// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown_image(%arg0: !torch.vtensor<[1,4,4],f32>, %arg1: !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,1,3,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+3 {{node '' (Col2Im, opset 18): image_shape (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<1x4x4xf32>', 'tensor<2xi64>', 'tensor<2xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.Col2Im"(%arg0, %arg1, %c0) : (!torch.vtensor<[1,4,4],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[1,4,4],si32>) -> !torch.vtensor<[1,1,3,3],si32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Col2Im, opset 18): the operand must be floating point of rank 3, with one positive size per image axis in every list}}
  // expected-note @+1 {{operands: ('tensor<1x4x4xi32>', 'tensor<2xi64>', 'tensor<2xi64>')}}
  %r = torch.operator "onnx.Col2Im"(%arg0, %c0, %c1) : (!torch.vtensor<[1,4,4],si32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,1,3,3],si32>
  return %r : !torch.vtensor<[1,1,3,3],si32>
}

// -----

func.func @negative_pad(%arg0: !torch.vtensor<[1,4,4],f32>) -> !torch.vtensor<[1,1,3,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Col2Im, opset 18): attribute 'pads' has a value below 0 or beyond 32 bits}}
  // expected-note @+1 {{operands: ('tensor<1x4x4xf32>', 'tensor<2xi64>', 'tensor<2xi64>')}}
  %r = torch.operator "onnx.Col2Im"(%arg0, %c0, %c1) {torch.onnx.pads = [0 : si64, 0 : si64, 0 : si64, -1 : si64]} : (!torch.vtensor<[1,4,4],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

// -----

func.func @blocks(%arg0: !torch.vtensor<[1,4,5],f32>) -> !torch.vtensor<[1,1,3,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Col2Im, opset 18): the operand does not hold the blocks of such an image, or has too many elements}}
  // expected-note @+1 {{operands: ('tensor<1x4x5xf32>', 'tensor<2xi64>', 'tensor<2xi64>')}}
  %r = torch.operator "onnx.Col2Im"(%arg0, %c0, %c1) : (!torch.vtensor<[1,4,5],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

// -----

func.func @many_overlap(%arg0: !torch.vtensor<[1,100,101],f32>) -> !torch.vtensor<[1,1,200],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[200]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[100]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Col2Im, opset 18): 100 overlapping blocks are too many to unroll}}
  // expected-note @+1 {{operands: ('tensor<1x100x101xf32>', 'tensor<1xi64>', 'tensor<1xi64>')}}
  %r = torch.operator "onnx.Col2Im"(%arg0, %c0, %c1) : (!torch.vtensor<[1,100,101],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1,1,200],f32>
  return %r : !torch.vtensor<[1,1,200],f32>
}

// -----

// The blocks have 10^13 elements.
func.func @many_elements(%arg0: !torch.vtensor<[1,1048576,9443329],f32>) -> !torch.vtensor<[1,1,4096,4096],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4096> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1024> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Col2Im, opset 18): the operand does not hold the blocks of such an image, or has too many elements}}
  // expected-note @+1 {{operands}}
  %r = torch.operator "onnx.Col2Im"(%arg0, %c0, %c1) : (!torch.vtensor<[1,1048576,9443329],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,1,4096,4096],f32>
  return %r : !torch.vtensor<[1,1,4096,4096],f32>
}

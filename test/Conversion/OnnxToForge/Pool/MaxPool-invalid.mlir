// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @no_kernel(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,4],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  // expected-error @+3 {{node '' (MaxPool, opset 12): attribute 'kernel_shape' is missing}}
  // expected-note @+2 {{operands: ('tensor<1x2x8x9xf32>')}}
  // expected-error @+1 {{node '' (MaxPool, opset 12): attribute 'kernel_shape' has 0 values for 2 spatial axes}}
  %r1 = torch.operator "onnx.MaxPool"(%arg0) : (!torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,4],f32>
  return %r1 : !torch.vtensor<[1,2,4,4],f32>
}

// -----

func.func @rank(%arg0: !torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  // expected-error @+2 {{node '' (MaxPool, opset 12): the operand must have rank 3 or more}}
  // expected-note @+1 {{operands: ('tensor<2x8xf32>')}}
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.kernel_shape = []} : (!torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @window(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,4],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  // expected-error @+2 {{node '' (MaxPool, opset 12): the window does not fit into the padded input}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x9xf32>')}}
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.kernel_shape = [9 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,4],f32>
  return %r1 : !torch.vtensor<[1,2,4,4],f32>
}

// -----

// ceil_mode exists since opset 10.
func.func @early_ceil(%arg0: !torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,5],f32> attributes {torch.onnx_meta.opset_version = 8 : si64} {
  // expected-error @+2 {{node '' (MaxPool, opset 8): output 0 is computed as tensor<1x2x4x4xf32>, but the model declares !torch.vtensor<[1,2,4,5],f32>}}
  // expected-note @+1 {{operands: ('tensor<1x2x8x9xf32>')}}
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.ceil_mode = 1 : si64, torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,8,9],f32>) -> !torch.vtensor<[1,2,4,5],f32>
  return %r1 : !torch.vtensor<[1,2,4,5],f32>
}

// -----

// The second of three dilated windows reads elements 1 and 3, both of them padding. onnxruntime refuses such padding,
// and an empty window has no maximum.
func.func @only_padding(%arg0: !torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[1,2,3],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  // expected-error @+2 {{node '' (MaxPool, opset 12): a window lies entirely in the padding}}
  // expected-note @+1 {{operands: ('tensor<1x2x1xf32>')}}
  %r1 = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.dilations = [2 : si64], torch.onnx.kernel_shape = [2 : si64], torch.onnx.pads = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,2,1],f32>) -> !torch.vtensor<[1,2,3],f32>
  return %r1 : !torch.vtensor<[1,2,3],f32>
}

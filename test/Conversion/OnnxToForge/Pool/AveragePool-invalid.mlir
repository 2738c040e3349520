// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @only_padding(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (AveragePool, opset 11): a window lies entirely in the padding}}
  // expected-note @+1 {{operands: ('tensor<1x1x2x2xf32>')}}
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [1 : si64, 1 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 1 : si64, 1 : si64]} : (!torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r1 : !torch.vtensor<[1,1,4,4],f32>
}

// -----

// The divisors of so many windows would be too large as a constant.
func.func @huge(%arg0: !torch.vtensor<[1,1,1048576,1048576],f32>) -> !torch.vtensor<[1,1,1048577,1048576],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{[FM1406] node '' (AveragePool, opset 11): a table of more than 16777216 windows is not supported}}
  // expected-note @+1 {{operands: ('tensor<1x1x1048576x1048576xf32>')}}
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 1 : si64], torch.onnx.pads = [1 : si64, 0 : si64, 1 : si64, 0 : si64]} : (!torch.vtensor<[1,1,1048576,1048576],f32>) -> !torch.vtensor<[1,1,1048577,1048576],f32>
  return %r1 : !torch.vtensor<[1,1,1048577,1048576],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[1,1,4,4],si32>) -> !torch.vtensor<[1,1,3,3],si32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (AveragePool, opset 11): integers have no average}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xi32>')}}
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,1,4,4],si32>) -> !torch.vtensor<[1,1,3,3],si32>
  return %r1 : !torch.vtensor<[1,1,3,3],si32>
}

// -----

// For a window that exceeds the padded input, onnxruntime divides by 9 with ceil_mode and by 16 without.
func.func @sticks_out(%arg0: !torch.vtensor<[1,1,3,3],f32>) -> !torch.vtensor<[1,1,1,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @+2 {{count_include_pad does not say what a window that exceeds the padded input counts}}
  // expected-note @+1 {{operands}}
  %r1 = torch.operator "onnx.AveragePool"(%arg0) {torch.onnx.kernel_shape = [4 : si64, 4 : si64], torch.onnx.strides = [2 : si64, 2 : si64], torch.onnx.count_include_pad = 1 : si64} : (!torch.vtensor<[1,1,3,3],f32>) -> !torch.vtensor<[1,1,1,1],f32>
  return %r1 : !torch.vtensor<[1,1,1,1],f32>
}

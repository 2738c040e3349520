// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @exponent(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,3,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+2 {{node '' (LpPool, opset 18): attribute 'p' must be at least 1}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>')}}
  %r = torch.operator "onnx.LpPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.p = 0 : si64} : (!torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

// -----

func.func @rank(%arg0: !torch.vtensor<[4,4],f32>) -> !torch.vtensor<[3,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+2 {{node '' (LpPool, opset 18): the operand must have rank 3 or more}}
  // expected-note @+1 {{operands: ('tensor<4x4xf32>')}}
  %r = torch.operator "onnx.LpPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[4,4],f32>) -> !torch.vtensor<[3,3],f32>
  return %r : !torch.vtensor<[3,3],f32>
}

// -----

func.func @kernel(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,0,0],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+2 {{node '' (LpPool, opset 18): the window does not fit into the padded input}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>')}}
  %r = torch.operator "onnx.LpPool"(%arg0) {torch.onnx.kernel_shape = [5 : si64, 5 : si64]} : (!torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,0,0],f32>
  return %r : !torch.vtensor<[1,1,0,0],f32>
}

// -----

func.func @ceil_too_new(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,3,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (LpPool, opset 11): attribute 'ceil_mode' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>')}}
  %r = torch.operator "onnx.LpPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 2 : si64], torch.onnx.ceil_mode = 1 : si64} : (!torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

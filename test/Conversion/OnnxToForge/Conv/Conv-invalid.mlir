// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @rank(%arg0: !torch.vtensor<[3,8],f32>, %arg1: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,8],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): the operand and the weights must have one rank of 3 or more}}
  // expected-note @+1 {{operands: ('tensor<3x8xf32>', 'tensor<4x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) : (!torch.vtensor<[3,8],f32>, !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,8],f32>
  return %r1 : !torch.vtensor<[4,8],f32>
}

// -----

func.func @ranks(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): the operand and the weights must have one rank of 3 or more}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @kernel(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): attribute 'kernel_shape' differs from the weights}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.kernel_shape = [2 : si64, 2 : si64]} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @kernel_count(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): attribute 'kernel_shape' has 1 values for 2 spatial axes}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.kernel_shape = [3 : si64]} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @stride(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): attribute 'strides' has a value below 1 or beyond 32 bits}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.strides = [0 : si64, 1 : si64]} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @dilation(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): attribute 'dilations' has 1 values for 2 spatial axes}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.dilations = [1 : si64]} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @pads(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): attribute 'pads' has 2 values for 2 spatial axes}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.pads = [0 : si64, 0 : si64]} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @negative_pads(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): attribute 'pads' has a value below 0 or beyond 32 bits}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.pads = [0 : si64, 0 : si64, -1 : si64, 0 : si64]} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @auto_pad(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): attribute 'auto_pad' must be NOTSET, VALID, SAME_UPPER or SAME_LOWER}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.auto_pad = "SAME"} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

// Zero groups are rejected without a division by zero.
func.func @no_groups(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): 'forge.conv2d' op (C3) expected weights (Cout, 3/groups, kH, kW) with groups dividing both, but got 'tensor<4x3x3x3xf32>' and groups 0}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.group = 0 : si64} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @groups(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): 'forge.conv2d' op (C3) expected weights (Cout, 3/groups, kH, kW) with groups dividing both, but got 'tensor<4x3x3x3xf32>' and groups 3}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.group = 3 : si64} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @window(%arg0: !torch.vtensor<[1,3,2,2],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,1,1],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): 'forge.conv2d' op (C5) expected a window that fits, but got 3 in 2 padded by 0}}
  // expected-note @+1 {{operands: ('tensor<1x3x2x2xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) : (!torch.vtensor<[1,3,2,2],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,1,1],f32>
  return %r1 : !torch.vtensor<[1,4,1,1],f32>
}

// -----

func.func @bias(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>, %arg2: !torch.vtensor<[3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): 'forge.conv2d' op (C4) expected a bias of 4 elements in its last axis, but got 'tensor<3xf32>'}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1, %arg2) : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @types(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f16>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): 'forge.conv2d' op (C1) expected operands of element type 'f32', but got 'tensor<4x3x3x3xf16>'}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf16>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f16>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

// A stride beyond 32 bits.
func.func @large(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): attribute 'strides' has a value below 1 or beyond 32 bits}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.strides = [4294967296 : si64, 1 : si64]} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @not_a_list(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): attribute 'strides' is not a list of integers}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.strides = 1 : si64} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @mixed_list(%arg0: !torch.vtensor<[1,3,8,8],f32>, %arg1: !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+3 {{node '' (Conv, opset 11): attribute 'strides' is not a list of integers}}
  // expected-note @+2 {{operands: ('tensor<1x3x8x8xf32>', 'tensor<4x3x3x3xf32>')}}
  // expected-error @+1 {{node '' (Conv, opset 11): attribute 'strides' has 0 values for 2 spatial axes}}
  %r1 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.strides = [1 : si64, 1.000000e+00 : f32]} : (!torch.vtensor<[1,3,8,8],f32>, !torch.vtensor<[4,3,3,3],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

// -----

func.func @missing(%arg0: !torch.vtensor<[1,3,8,8],f32>) -> !torch.vtensor<[1,4,6,6],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Conv, opset 11): input 1 is missing}}
  // expected-note @+1 {{operands: ('tensor<1x3x8x8xf32>')}}
  %r1 = torch.operator "onnx.Conv"(%arg0) : (!torch.vtensor<[1,3,8,8],f32>) -> !torch.vtensor<[1,4,6,6],f32>
  return %r1 : !torch.vtensor<[1,4,6,6],f32>
}

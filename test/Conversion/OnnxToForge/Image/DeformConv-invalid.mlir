// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @rank(%arg0: !torch.vtensor<[1,2],f32>, %arg1: !torch.vtensor<[2,2],f32>, %arg2: !torch.vtensor<[1,18],f32>) -> !torch.vtensor<[1,2],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  // expected-error @+2 {{node '' (DeformConv, opset 19): the operand and the weights must be floating point, of one rank of 3 to 5}}
  // expected-note @+1 {{operands: ('tensor<1x2xf32>', 'tensor<2x2xf32>', 'tensor<1x18xf32>')}}
  %r = torch.operator "onnx.DeformConv"(%arg0, %arg1, %arg2) : (!torch.vtensor<[1,2],f32>, !torch.vtensor<[2,2],f32>, !torch.vtensor<[1,18],f32>) -> !torch.vtensor<[1,2],f32>
  return %r : !torch.vtensor<[1,2],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[1,2,4,4],si32>, %arg1: !torch.vtensor<[2,2,3,3],si32>, %arg2: !torch.vtensor<[1,18,2,2],si32>) -> !torch.vtensor<[1,2,2,2],si32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  // expected-error @+2 {{node '' (DeformConv, opset 19): the operand and the weights must be floating point, of one rank of 3 to 5}}
  // expected-note @+1 {{operands: ('tensor<1x2x4x4xi32>', 'tensor<2x2x3x3xi32>', 'tensor<1x18x2x2xi32>')}}
  %r = torch.operator "onnx.DeformConv"(%arg0, %arg1, %arg2) : (!torch.vtensor<[1,2,4,4],si32>, !torch.vtensor<[2,2,3,3],si32>, !torch.vtensor<[1,18,2,2],si32>) -> !torch.vtensor<[1,2,2,2],si32>
  return %r : !torch.vtensor<[1,2,2,2],si32>
}

// -----

func.func @groups(%arg0: !torch.vtensor<[1,2,4,4],f32>, %arg1: !torch.vtensor<[2,2,3,3],f32>, %arg2: !torch.vtensor<[1,18,2,2],f32>) -> !torch.vtensor<[1,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  // expected-error @+2 {{node '' (DeformConv, opset 19): the channels of the operand, the weights and the groups do not fit}}
  // expected-note @+1 {{operands: ('tensor<1x2x4x4xf32>', 'tensor<2x2x3x3xf32>', 'tensor<1x18x2x2xf32>')}}
  %r = torch.operator "onnx.DeformConv"(%arg0, %arg1, %arg2) {torch.onnx.group = 2 : si64} : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[2,2,3,3],f32>, !torch.vtensor<[1,18,2,2],f32>) -> !torch.vtensor<[1,2,2,2],f32>
  return %r : !torch.vtensor<[1,2,2,2],f32>
}

// -----

func.func @offsets(%arg0: !torch.vtensor<[1,2,4,4],f32>, %arg1: !torch.vtensor<[2,2,3,3],f32>, %arg2: !torch.vtensor<[1,16,2,2],f32>) -> !torch.vtensor<[1,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  // expected-error @+2 {{node '' (DeformConv, opset 19): the offsets or the mask do not fit the kernel and the result}}
  // expected-note @+1 {{operands: ('tensor<1x2x4x4xf32>', 'tensor<2x2x3x3xf32>', 'tensor<1x16x2x2xf32>')}}
  %r = torch.operator "onnx.DeformConv"(%arg0, %arg1, %arg2) : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[2,2,3,3],f32>, !torch.vtensor<[1,16,2,2],f32>) -> !torch.vtensor<[1,2,2,2],f32>
  return %r : !torch.vtensor<[1,2,2,2],f32>
}

// -----

func.func @bias(%arg0: !torch.vtensor<[1,2,4,4],f32>, %arg1: !torch.vtensor<[2,2,3,3],f32>, %arg2: !torch.vtensor<[1,18,2,2],f32>, %arg3: !torch.vtensor<[3],f32>) -> !torch.vtensor<[1,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  // expected-error @+2 {{node '' (DeformConv, opset 19): there must be one bias per output channel}}
  // expected-note @+1 {{operands: ('tensor<1x2x4x4xf32>', 'tensor<2x2x3x3xf32>', 'tensor<1x18x2x2xf32>', 'tensor<3xf32>')}}
  %r = torch.operator "onnx.DeformConv"(%arg0, %arg1, %arg2, %arg3) : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[2,2,3,3],f32>, !torch.vtensor<[1,18,2,2],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[1,2,2,2],f32>
  return %r : !torch.vtensor<[1,2,2,2],f32>
}

// -----

func.func @mask(%arg0: !torch.vtensor<[1,2,4,4],f32>, %arg1: !torch.vtensor<[2,2,3,3],f32>, %arg2: !torch.vtensor<[1,18,2,2],f32>, %arg3: !torch.vtensor<[1,8,2,2],f32>) -> !torch.vtensor<[1,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %none = torch.constant.none
  // expected-error @+2 {{node '' (DeformConv, opset 19): the offsets or the mask do not fit the kernel and the result}}
  // expected-note @+1 {{operands: ('tensor<1x2x4x4xf32>', 'tensor<2x2x3x3xf32>', 'tensor<1x18x2x2xf32>', '!torch.none', 'tensor<1x8x2x2xf32>')}}
  %r = torch.operator "onnx.DeformConv"(%arg0, %arg1, %arg2, %none, %arg3) : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[2,2,3,3],f32>, !torch.vtensor<[1,18,2,2],f32>, !torch.none, !torch.vtensor<[1,8,2,2],f32>) -> !torch.vtensor<[1,2,2,2],f32>
  return %r : !torch.vtensor<[1,2,2,2],f32>
}

// -----

func.func @window(%arg0: !torch.vtensor<[1,2,2,2],f32>, %arg1: !torch.vtensor<[2,2,3,3],f32>, %arg2: !torch.vtensor<[1,18,0,0],f32>) -> !torch.vtensor<[1,2,0,0],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  // expected-error @+2 {{node '' (DeformConv, opset 19): the kernel does not fit into the padded input, or that is too large}}
  // expected-note @+1 {{operands: ('tensor<1x2x2x2xf32>', 'tensor<2x2x3x3xf32>', 'tensor<1x18x0x0xf32>')}}
  %r = torch.operator "onnx.DeformConv"(%arg0, %arg1, %arg2) : (!torch.vtensor<[1,2,2,2],f32>, !torch.vtensor<[2,2,3,3],f32>, !torch.vtensor<[1,18,0,0],f32>) -> !torch.vtensor<[1,2,0,0],f32>
  return %r : !torch.vtensor<[1,2,0,0],f32>
}

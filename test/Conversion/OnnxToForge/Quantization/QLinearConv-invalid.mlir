// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @missing(%arg0: !torch.vtensor<[1,2,4,4],ui8>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[2,2,3,3],si8>, %arg4: !torch.vtensor<[],f32>, %arg5: !torch.vtensor<[],si8>, %arg6: !torch.vtensor<[],f32>) -> !torch.vtensor<[1,2,2,2],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearConv, opset 10): input 7 is missing}}
  // expected-note @+1 {{operands: ('tensor<1x2x4x4xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<2x2x3x3xi8>', 'tensor<f32>', 'tensor<i8>', 'tensor<f32>')}}
  %r = torch.operator "onnx.QLinearConv"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (!torch.vtensor<[1,2,4,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,2,3,3],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si8>, !torch.vtensor<[],f32>) -> !torch.vtensor<[1,2,2,2],ui8>
  return %r : !torch.vtensor<[1,2,2,2],ui8>
}

// -----

func.func @wide(%arg0: !torch.vtensor<[1,2,4,4],si32>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[2,2,3,3],si8>, %arg4: !torch.vtensor<[],f32>, %arg5: !torch.vtensor<[],si8>, %arg6: !torch.vtensor<[],f32>, %arg7: !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,2,2,2],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearConv, opset 10): expected 8-bit integers}}
  // expected-note @+1 {{operands: ('tensor<1x2x4x4xi32>', 'tensor<f32>', 'tensor<ui8>', 'tensor<2x2x3x3xi8>', 'tensor<f32>', 'tensor<i8>', 'tensor<f32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearConv"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.vtensor<[1,2,4,4],si32>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,2,3,3],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,2,2,2],ui8>
  return %r : !torch.vtensor<[1,2,2,2],ui8>
}

// -----

func.func @rank(%arg0: !torch.vtensor<[1,2],ui8>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[2,2],si8>, %arg4: !torch.vtensor<[],f32>, %arg5: !torch.vtensor<[],si8>, %arg6: !torch.vtensor<[],f32>, %arg7: !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,2],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearConv, opset 10): integer convolutions over other than 1, 2 or 3 spatial axes are not supported on the device}}
  // expected-note @+1 {{operands: ('tensor<1x2xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<2x2xi8>', 'tensor<f32>', 'tensor<i8>', 'tensor<f32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearConv"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.vtensor<[1,2],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,2],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,2],ui8>
  return %r : !torch.vtensor<[1,2],ui8>
}

// -----

func.func @groups(%arg0: !torch.vtensor<[1,2,4,4],ui8>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[2,2,3,3],si8>, %arg4: !torch.vtensor<[],f32>, %arg5: !torch.vtensor<[],si8>, %arg6: !torch.vtensor<[],f32>, %arg7: !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,2,2,2],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearConv, opset 10): the weights do not fit the operand and attribute 'group'}}
  // expected-note @+1 {{operands: ('tensor<1x2x4x4xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<2x2x3x3xi8>', 'tensor<f32>', 'tensor<i8>', 'tensor<f32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearConv"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) {torch.onnx.group = 2 : si64} : (!torch.vtensor<[1,2,4,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,2,3,3],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,2,2,2],ui8>
  return %r : !torch.vtensor<[1,2,2,2],ui8>
}

// -----

func.func @scale(%arg0: !torch.vtensor<[1,2,4,4],ui8>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[2,2,3,3],si8>, %arg4: !torch.vtensor<[3],f32>, %arg5: !torch.vtensor<[],si8>, %arg6: !torch.vtensor<[],f32>, %arg7: !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,2,2,2],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearConv, opset 10): a scale or the bias has neither one value nor one per output channel}}
  // expected-note @+1 {{operands: ('tensor<1x2x4x4xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<2x2x3x3xi8>', 'tensor<3xf32>', 'tensor<i8>', 'tensor<f32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearConv"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.vtensor<[1,2,4,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,2,3,3],si8>, !torch.vtensor<[3],f32>, !torch.vtensor<[],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,2,2,2],ui8>
  return %r : !torch.vtensor<[1,2,2,2],ui8>
}

// -----

func.func @output_scale(%arg0: !torch.vtensor<[1,2,4,4],ui8>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[2,2,3,3],si8>, %arg4: !torch.vtensor<[],f32>, %arg5: !torch.vtensor<[],si8>, %arg6: !torch.vtensor<[2],f32>, %arg7: !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,2,2,2],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearConv, opset 10): input 6 must have one value}}
  // expected-note @+1 {{operands: ('tensor<1x2x4x4xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<2x2x3x3xi8>', 'tensor<f32>', 'tensor<i8>', 'tensor<2xf32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearConv"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.vtensor<[1,2,4,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,2,3,3],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si8>, !torch.vtensor<[2],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[1,2,2,2],ui8>
  return %r : !torch.vtensor<[1,2,2,2],ui8>
}

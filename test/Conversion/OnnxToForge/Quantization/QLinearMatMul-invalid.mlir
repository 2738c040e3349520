// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @missing(%arg0: !torch.vtensor<[2,3],ui8>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[3,4],ui8>, %arg4: !torch.vtensor<[],f32>, %arg5: !torch.vtensor<[],ui8>, %arg6: !torch.vtensor<[],f32>) -> !torch.vtensor<[2,4],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearMatMul, opset 10): input 7 is missing}}
  // expected-note @+1 {{operands: ('tensor<2x3xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<3x4xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<f32>')}}
  %r = torch.operator "onnx.QLinearMatMul"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[3,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,4],ui8>
  return %r : !torch.vtensor<[2,4],ui8>
}

// -----

func.func @scalar(%arg0: !torch.vtensor<[],ui8>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[3,4],ui8>, %arg4: !torch.vtensor<[],f32>, %arg5: !torch.vtensor<[],ui8>, %arg6: !torch.vtensor<[],f32>, %arg7: !torch.vtensor<[],ui8>) -> !torch.vtensor<[4],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearMatMul, opset 10): the operands of a matrix product must have rank 1 or more}}
  // expected-note @+1 {{operands: ('tensor<ui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<3x4xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<f32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearMatMul"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[3,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[4],ui8>
  return %r : !torch.vtensor<[4],ui8>
}

// -----

func.func @inner(%arg0: !torch.vtensor<[2,3],ui8>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[2,4],ui8>, %arg4: !torch.vtensor<[],f32>, %arg5: !torch.vtensor<[],ui8>, %arg6: !torch.vtensor<[],f32>, %arg7: !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearMatMul, opset 10): the contracted sizes differ or are 0}}
  // expected-note @+1 {{operands: ('tensor<2x3xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<2x4xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<f32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearMatMul"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %r : !torch.vtensor<[2,4],ui8>
}

// -----

func.func @wide(%arg0: !torch.vtensor<[2,3],ui8>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[3,4],si16>, %arg4: !torch.vtensor<[],f32>, %arg5: !torch.vtensor<[],ui8>, %arg6: !torch.vtensor<[],f32>, %arg7: !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearMatMul, opset 10): expected 8-bit integers}}
  // expected-note @+1 {{operands: ('tensor<2x3xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<3x4xi16>', 'tensor<f32>', 'tensor<ui8>', 'tensor<f32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearMatMul"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[3,4],si16>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %r : !torch.vtensor<[2,4],ui8>
}

// -----

func.func @zero_point(%arg0: !torch.vtensor<[2,3],ui8>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],ui8>, %arg3: !torch.vtensor<[3,4],ui8>, %arg4: !torch.vtensor<[],f32>, %arg5: !torch.vtensor<[3],ui8>, %arg6: !torch.vtensor<[],f32>, %arg7: !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{node '' (QLinearMatMul, opset 10): 'forge.subtract' op (C2) shapes [3, 4] and [3] do not broadcast}}
  // expected-note @+1 {{operands: ('tensor<2x3xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<3x4xui8>', 'tensor<f32>', 'tensor<3xui8>', 'tensor<f32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearMatMul"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7) : (!torch.vtensor<[2,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[3,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %r : !torch.vtensor<[2,4],ui8>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @types(%arg0: !torch.vtensor<[4],i1>, %arg1: !torch.vtensor<[4],ui8>, %arg2: !torch.vtensor<[],f32>, %arg3: !torch.vtensor<[],ui8>, %arg4: !torch.vtensor<[4],si8>, %arg5: !torch.vtensor<[],f32>, %arg6: !torch.vtensor<[],si8>, %arg7: !torch.vtensor<[],f32>, %arg8: !torch.vtensor<[],ui8>) -> !torch.vtensor<[4],ui8> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{node '' (com.microsoft.QLinearWhere, opset 1): expected operands of one type}}
  // expected-note @+1 {{operands: ('tensor<4xi1>', 'tensor<4xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<4xi8>', 'tensor<f32>', 'tensor<i8>', 'tensor<f32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearWhere"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[4],i1>, !torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[4],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[4],ui8>
  return %r : !torch.vtensor<[4],ui8>
}

// -----

func.func @scale(%arg0: !torch.vtensor<[4],i1>, %arg1: !torch.vtensor<[4],ui8>, %arg2: !torch.vtensor<[2],f32>, %arg3: !torch.vtensor<[],ui8>, %arg4: !torch.vtensor<[4],ui8>, %arg5: !torch.vtensor<[],f32>, %arg6: !torch.vtensor<[],ui8>, %arg7: !torch.vtensor<[],f32>, %arg8: !torch.vtensor<[],ui8>) -> !torch.vtensor<[4],ui8> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{node '' (com.microsoft.QLinearWhere, opset 1): expected one scale (input 2) in float32, but got shape (2)}}
  // expected-note @+1 {{operands: ('tensor<4xi1>', 'tensor<4xui8>', 'tensor<2xf32>', 'tensor<ui8>', 'tensor<4xui8>', 'tensor<f32>', 'tensor<ui8>', 'tensor<f32>', 'tensor<ui8>')}}
  %r = torch.operator "onnx.QLinearWhere"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[4],i1>, !torch.vtensor<[4],ui8>, !torch.vtensor<[2],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[4],ui8>
  return %r : !torch.vtensor<[4],ui8>
}

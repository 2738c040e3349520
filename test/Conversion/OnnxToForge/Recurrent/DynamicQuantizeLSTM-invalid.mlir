// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @direction(%arg0: !torch.vtensor<[2,1,4],f32>, %arg1: !torch.vtensor<[1,4,12],si8>, %arg2: !torch.vtensor<[1,3,12],si8>, %arg3: !torch.vtensor<[1],f32>, %arg4: !torch.vtensor<[1],si8>, %arg5: !torch.vtensor<[1],f32>, %arg6: !torch.vtensor<[1],si8>) -> (!torch.vtensor<[2,1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{node '' (com.microsoft.DynamicQuantizeLSTM, opset 1): attribute 'direction' must be forward, reverse or bidirectional, but is 'backward'}}
  // expected-note @+1 {{operands: ('tensor<2x1x4xf32>', 'tensor<1x4x12xi8>', 'tensor<1x3x12xi8>', '!torch.none', '!torch.none', '!torch.none', '!torch.none', '!torch.none', 'tensor<1xf32>', 'tensor<1xi8>', 'tensor<1xf32>', 'tensor<1xi8>')}}
  %r:3 = torch.operator "onnx.DynamicQuantizeLSTM"(%arg0, %arg1, %arg2, %none, %none, %none, %none, %none, %arg3, %arg4, %arg5, %arg6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.hidden_size = 3 : si64, torch.onnx.direction = "backward"} : (!torch.vtensor<[2,1,4],f32>, !torch.vtensor<[1,4,12],si8>, !torch.vtensor<[1,3,12],si8>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si8>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si8>) -> (!torch.vtensor<[2,1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>)
  return %r#0, %r#1, %r#2 : !torch.vtensor<[2,1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>
}

// -----

func.func @weights(%arg0: !torch.vtensor<[2,1,4],f32>, %arg1: !torch.vtensor<[1,12,4],si8>, %arg2: !torch.vtensor<[1,3,12],si8>, %arg3: !torch.vtensor<[1],f32>, %arg4: !torch.vtensor<[1],si8>, %arg5: !torch.vtensor<[1],f32>, %arg6: !torch.vtensor<[1],si8>) -> (!torch.vtensor<[2,1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{node '' (com.microsoft.DynamicQuantizeLSTM, opset 1): W does not have the shape that X, the hidden size and the directions ask for}}
  // expected-note @+1 {{operands: ('tensor<2x1x4xf32>', 'tensor<1x12x4xi8>', 'tensor<1x3x12xi8>', '!torch.none', '!torch.none', '!torch.none', '!torch.none', '!torch.none', 'tensor<1xf32>', 'tensor<1xi8>', 'tensor<1xf32>', 'tensor<1xi8>')}}
  %r:3 = torch.operator "onnx.DynamicQuantizeLSTM"(%arg0, %arg1, %arg2, %none, %none, %none, %none, %none, %arg3, %arg4, %arg5, %arg6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.hidden_size = 3 : si64} : (!torch.vtensor<[2,1,4],f32>, !torch.vtensor<[1,12,4],si8>, !torch.vtensor<[1,3,12],si8>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si8>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si8>) -> (!torch.vtensor<[2,1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>)
  return %r#0, %r#1, %r#2 : !torch.vtensor<[2,1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>
}

// -----

func.func @scale(%arg0: !torch.vtensor<[2,1,4],f32>, %arg1: !torch.vtensor<[1,4,12],si8>, %arg2: !torch.vtensor<[1,3,12],si8>, %arg3: !torch.vtensor<[2],f32>, %arg4: !torch.vtensor<[1],si8>, %arg5: !torch.vtensor<[1],f32>, %arg6: !torch.vtensor<[1],si8>) -> (!torch.vtensor<[2,1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{node '' (com.microsoft.DynamicQuantizeLSTM, opset 1): a scale does not have the shape that X, the hidden size and the directions ask for}}
  // expected-note @+1 {{operands: ('tensor<2x1x4xf32>', 'tensor<1x4x12xi8>', 'tensor<1x3x12xi8>', '!torch.none', '!torch.none', '!torch.none', '!torch.none', '!torch.none', 'tensor<2xf32>', 'tensor<1xi8>', 'tensor<1xf32>', 'tensor<1xi8>')}}
  %r:3 = torch.operator "onnx.DynamicQuantizeLSTM"(%arg0, %arg1, %arg2, %none, %none, %none, %none, %none, %arg3, %arg4, %arg5, %arg6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.hidden_size = 3 : si64} : (!torch.vtensor<[2,1,4],f32>, !torch.vtensor<[1,4,12],si8>, !torch.vtensor<[1,3,12],si8>, !torch.none, !torch.none, !torch.none, !torch.none, !torch.none, !torch.vtensor<[2],f32>, !torch.vtensor<[1],si8>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si8>) -> (!torch.vtensor<[2,1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>)
  return %r#0, %r#1, %r#2 : !torch.vtensor<[2,1,1,3],f32>, !torch.vtensor<[1,1,3],f32>, !torch.vtensor<[1,1,3],f32>
}

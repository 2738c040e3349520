// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @scalar(%arg0: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.Scaler, opset 1): the operand must have rank 1 or more}}
  // expected-note @+1 {{operands: ('tensor<f32>')}}
  %r = torch.operator "onnx.Scaler"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.offset = [1.0 : f32], torch.onnx.scale = [1.0 : f32]} : (!torch.vtensor<[],f32>) -> !torch.vtensor<[],f32>
  return %r : !torch.vtensor<[],f32>
}

// -----

func.func @count(%arg0: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.Scaler, opset 1): expected 1 or 3 numbers in attribute 'offset', but got 2}}
  // expected-note @+1 {{operands: ('tensor<4x3xf32>')}}
  %r = torch.operator "onnx.Scaler"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.offset = [1.0 : f32, 2.0 : f32], torch.onnx.scale = [1.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
  return %r : !torch.vtensor<[4,3],f32>
}

// -----

func.func @missing(%arg0: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.Scaler, opset 1): attribute 'offset' is missing}}
  // expected-note @+1 {{operands: ('tensor<4x3xf32>')}}
  %r = torch.operator "onnx.Scaler"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.scale = [1.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
  return %r : !torch.vtensor<[4,3],f32>
}

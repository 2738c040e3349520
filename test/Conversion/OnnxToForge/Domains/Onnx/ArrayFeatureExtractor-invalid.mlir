// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @rank(%arg0: !torch.vtensor<[],f32>, %arg1: !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.ArrayFeatureExtractor, opset 1): the operand must have rank 1 or more}}
  // expected-note @+1 {{operands: ('tensor<f32>', 'tensor<1xi64>')}}
  %r = torch.operator "onnx.ArrayFeatureExtractor"(%arg0, %arg1) {torch.onnx_meta.domain = "ai.onnx.ml"} : (!torch.vtensor<[],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32>
  return %r : !torch.vtensor<[1],f32>
}

// -----

func.func @outside(%arg0: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (ai.onnx.ml.ArrayFeatureExtractor, opset 1): index 3 is outside an axis of size 3}}
  // expected-note @+1 {{operands: ('tensor<4x3xf32>', 'tensor<1xi64>')}}
  %r = torch.operator "onnx.ArrayFeatureExtractor"(%arg0, %c0) {torch.onnx_meta.domain = "ai.onnx.ml"} : (!torch.vtensor<[4,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[4,1],f32>
  return %r : !torch.vtensor<[4,1],f32>
}

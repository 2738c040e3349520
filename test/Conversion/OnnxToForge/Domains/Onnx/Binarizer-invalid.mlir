// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @integers(%arg0: !torch.vtensor<[3],si32>) -> !torch.vtensor<[3],si32> attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.ml.Binarizer, opset 1): only floating-point operands are supported}}
  // expected-note @+1 {{operands: ('tensor<3xi32>')}}
  %r = torch.operator "onnx.Binarizer"(%arg0) {torch.onnx_meta.domain = "ai.onnx.ml"} : (!torch.vtensor<[3],si32>) -> !torch.vtensor<[3],si32>
  return %r : !torch.vtensor<[3],si32>
}

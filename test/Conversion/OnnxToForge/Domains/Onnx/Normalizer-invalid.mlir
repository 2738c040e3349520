// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @max(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'norm' MAX: onnx.reference and onnxruntime differ for rows without a positive number}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.Normalizer"(%x) {torch.onnx_meta.domain = "ai.onnx.ml"} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
  return %0 : !torch.vtensor<[4,3],f32>
}

// -----

func.func @rank(%x: !torch.vtensor<[1,4,3],f32>) -> !torch.vtensor<[1,4,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{the operand must have rank 1 or 2}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.Normalizer"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.norm = "L1"} : (!torch.vtensor<[1,4,3],f32>) -> !torch.vtensor<[1,4,3],f32>
  return %0 : !torch.vtensor<[1,4,3],f32>
}

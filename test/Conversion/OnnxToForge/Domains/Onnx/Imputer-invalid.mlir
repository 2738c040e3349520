// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @integers(%x: !torch.vtensor<[2,3],si64>) -> !torch.vtensor<[2,3],si64>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'imputed_value_floats' of integers: onnx.reference and onnxruntime differ}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.Imputer"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.imputed_value_int64s = [1 : si64], torch.onnx.imputed_value_floats = [1.0 : f32]} : (!torch.vtensor<[2,3],si64>) -> !torch.vtensor<[2,3],si64>
  return %0 : !torch.vtensor<[2,3],si64>
}

// -----

func.func @count(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected an operand of rank 1 or 2, and one value or one per column}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.Imputer"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.imputed_value_floats = [1.0 : f32, 2.0 : f32]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @rank(%x: !torch.vtensor<[1,2,3],f32>) -> !torch.vtensor<[1,2,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected an operand of rank 1 or 2, and one value or one per column}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.Imputer"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.imputed_value_floats = [1.0 : f32]} : (!torch.vtensor<[1,2,3],f32>) -> !torch.vtensor<[1,2,3],f32>
  return %0 : !torch.vtensor<[1,2,3],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @coefficients(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected 3 entries in attribute 'coefficients', but got 2}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LinearRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @intercepts(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected 1 entries in attribute 'intercepts', but got 2}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LinearRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], torch.onnx.intercepts = [1.0 : f32, 2.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @transform(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'post_transform' is not supported}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LinearRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], torch.onnx.post_transform = "PROBIT"} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @rank(%x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[1],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected an operand of rank 2, and a positive number of targets}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LinearRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32]} : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[1],f32>
  return %0 : !torch.vtensor<[1],f32>
}

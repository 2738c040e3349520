// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @doubles(%x: !torch.vtensor<[4,3],f64>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{only operands of float32 of rank 2 with elements are supported}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], torch.onnx.rho = [0.5 : f32]} : (!torch.vtensor<[4,3],f64>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @params(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected 3 numbers in attribute 'kernel_params', but got 0}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.n_supports = 2 : si64, torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32], torch.onnx.kernel_type = "RBF"} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @degree(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'kernel_params': a degree that is not an integer between 1 and 16}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.n_supports = 2 : si64, torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32], torch.onnx.kernel_type = "POLY", torch.onnx.kernel_params = [0.5 : f32, 1.0 : f32, 2.5 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @transform(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'post_transform' is not supported}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.n_supports = 2 : si64, torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32], torch.onnx.post_transform = "LOGISTIC"} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @vectors(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected 9 entries in attribute 'support_vectors', but got 6}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.n_supports = 3 : si64, torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @weights(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected 2 entries in attribute 'coefficients', but got 1}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.n_supports = 2 : si64, torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32], torch.onnx.rho = [0.5 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @count(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'n_supports' is -1}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.SVMRegressor"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.n_supports = -1 : si64, torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32]} : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,1],f32>
  return %0 : !torch.vtensor<[4,1],f32>
}

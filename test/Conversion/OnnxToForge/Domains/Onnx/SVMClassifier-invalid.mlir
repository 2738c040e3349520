// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @probabilities(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attributes 'prob_a' and 'prob_b': probabilities are found by iteration}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.SVMClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.classlabels_ints = [7 : si64, 3 : si64], torch.onnx.vectors_per_class = [1 : si64, 1 : si64], torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32], torch.onnx.prob_a = [1.0 : f32], torch.onnx.prob_b = [1.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

// -----

func.func @probit(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'post_transform' PROBIT is not supported}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.SVMClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.classlabels_ints = [7 : si64, 3 : si64], torch.onnx.vectors_per_class = [1 : si64, 1 : si64], torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32], torch.onnx.post_transform = "PROBIT"} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

// -----

func.func @softmax(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'post_transform' of two classes: onnx.reference and onnxruntime differ unless it is NONE or LOGISTIC}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.SVMClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.classlabels_ints = [7 : si64, 3 : si64], torch.onnx.vectors_per_class = [1 : si64, 1 : si64], torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32], torch.onnx.post_transform = "SOFTMAX"} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

// -----

func.func @linear(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{without support vectors it is not supported}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.SVMClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.classlabels_ints = [7 : si64, 3 : si64], torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32]} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

// -----

func.func @empty(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{a class without support vectors is not supported}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.SVMClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.classlabels_ints = [7 : si64, 3 : si64], torch.onnx.vectors_per_class = [2 : si64, 0 : si64], torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32]} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

// -----

func.func @rho(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,3],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected 3 entries in attribute 'rho', but got 1}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.SVMClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.classlabels_ints = [0 : si64, 1 : si64, 2 : si64], torch.onnx.vectors_per_class = [1 : si64, 1 : si64, 1 : si64], torch.onnx.support_vectors = [0.0 : f32, 1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32, 7.0 : f32, 8.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32, 1.0 : f32, -1.0 : f32, 1.0 : f32, -1.0 : f32], torch.onnx.rho = [1.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,3],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,3],f32>
}

// -----

func.func @positive(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{without a negative number in attribute 'coefficients' it is not supported}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.SVMClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.classlabels_ints = [7 : si64, 3 : si64], torch.onnx.vectors_per_class = [1 : si64, 1 : si64], torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, 1.0 : f32], torch.onnx.rho = [0.5 : f32]} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

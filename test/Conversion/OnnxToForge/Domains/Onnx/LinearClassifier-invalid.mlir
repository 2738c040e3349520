// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @coefficients(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{expected 6 entries in attribute 'coefficients', but got 1}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.LinearClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32], torch.onnx.classlabels_ints = [0 : si64, 1 : si64]} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

// -----

func.func @strings(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'classlabels_strings': the device has no strings}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.LinearClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.classlabels_strings = ["a", "b"]} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

// -----

func.func @one_label(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,1],f32>)
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'classlabels_ints' must have two labels or more}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.LinearClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32], torch.onnx.classlabels_ints = [1 : si64]} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,1],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,1],f32>
}

// -----

func.func @transform(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{attribute 'post_transform' PROBIT: onnx.reference and onnxruntime differ in labels}}
  // expected-note @below {{operands}}
  %0:2 = torch.operator "onnx.LinearClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.coefficients = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.classlabels_ints = [0 : si64, 1 : si64], torch.onnx.post_transform = "PROBIT"} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @old(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],si64>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  // expected-error @below {{before opset 2 the labels are strings}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LabelEncoder"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.classes_strings = ["a"]} : (!torch.vtensor<[4],si64>) -> !torch.vtensor<[4],si64>
  return %0 : !torch.vtensor<[4],si64>
}

// -----

func.func @strings(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],si64>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 2 : si64}} {
  // expected-error @below {{attribute 'values_strings': the device has no strings}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LabelEncoder"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.keys_int64s = [1 : si64, 2 : si64], torch.onnx.values_strings = ["a", "b"]} : (!torch.vtensor<[4],si64>) -> !torch.vtensor<[4],si64>
  return %0 : !torch.vtensor<[4],si64>
}

// -----

func.func @count(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 2 : si64}} {
  // expected-error @below {{expected as many values as keys, but got 1 and 2}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LabelEncoder"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.keys_int64s = [1 : si64, 2 : si64], torch.onnx.values_floats = [1.0 : f32]} : (!torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @type(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 2 : si64}} {
  // expected-error @below {{the keys do not have the type of the operand}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LabelEncoder"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.keys_int64s = [1 : si64, 2 : si64], torch.onnx.values_floats = [1.0 : f32, 2.0 : f32]} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @twice(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 2 : si64}} {
  // expected-error @below {{a key is NaN or occurs twice}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LabelEncoder"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.keys_int64s = [1 : si64, 1 : si64], torch.onnx.values_floats = [1.0 : f32, 2.0 : f32]} : (!torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @nan(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 2 : si64}} {
  // expected-error @below {{a key is NaN or occurs twice}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LabelEncoder"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.keys_floats = [1.0 : f32, 0x7FC00000 : f32], torch.onnx.values_floats = [1.0 : f32, 2.0 : f32]} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

func.func @doubles(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f64>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 4 : si64}} {
  // expected-error @below {{attribute 'values_tensor' must have elements of float32, int32 or int64}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LabelEncoder"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.keys_int64s = [1 : si64, 2 : si64], torch.onnx.values_tensor = dense<[1.0, 2.0]> : tensor<2xf64>} : (!torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f64>
  return %0 : !torch.vtensor<[4],f64>
}

// -----

func.func @default(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 4 : si64}} {
  // expected-error @below {{attribute 'default_tensor' must be one element of the type of the values}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.LabelEncoder"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.keys_int64s = [1 : si64, 2 : si64], torch.onnx.values_tensor = dense<[1.0, 2.0]> : tensor<2xf32>, torch.onnx.default_tensor = dense<[1, 2]> : tensor<2xsi32>} : (!torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

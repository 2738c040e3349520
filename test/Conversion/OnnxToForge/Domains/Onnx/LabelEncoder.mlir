// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file | FileCheck %s

// The position of an element among the keys, or that of the default, selects a value.
// CHECK-LABEL: func.func @integers(
// CHECK: %[[KEYS:.+]] = forge.constant dense<[5, 3]> : tensor<2xi64>
// CHECK: forge.equal %{{.+}}, %[[KEYS]]
// CHECK: forge.reduce_sum
// CHECK: forge.constant dense<[1.500000e+00, -2.000000e+00, 9.000000e+00]> : tensor<3xf32>
func.func @integers(%x: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 2 : si64}} {
  %0 = torch.operator "onnx.LabelEncoder"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.keys_int64s = [5 : si64, 3 : si64], torch.onnx.values_floats = [1.5 : f32, -2.0 : f32], torch.onnx.default_float = 9.0 : f32} : (!torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32>
  return %0 : !torch.vtensor<[4],f32>
}

// -----

// CHECK-LABEL: func.func @tensors(
// CHECK: forge.constant dense<[0, 2, 7]> : tensor<3xi32>
func.func @tensors(%x: !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,2],si32>
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 4 : si64}} {
  %0 = torch.operator "onnx.LabelEncoder"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.keys_tensor = dense<[0.5, 1.0]> : tensor<2xf32>, torch.onnx.values_tensor = dense<[0, 2]> : tensor<2xsi32>, torch.onnx.default_tensor = dense<7> : tensor<1xsi32>} : (!torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,2],si32>
  return %0 : !torch.vtensor<[2,2],si32>
}

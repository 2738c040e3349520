// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file | FileCheck %s

// The score of the pair and its negation.
// CHECK-LABEL: func.func @two(
// CHECK: %[[SCORE:.+]] = forge.add {{.+}} -> tensor<4x1xf32>
// CHECK: forge.concatenate %{{.+}}, %{{.+}} axis -1 : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
// CHECK: forge.constant dense<[7, 3]> : tensor<2xi64>
func.func @two(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0:2 = torch.operator "onnx.SVMClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.classlabels_ints = [7 : si64, 3 : si64], torch.onnx.vectors_per_class = [1 : si64, 1 : si64], torch.onnx.support_vectors = [1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32]} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,2],f32>
}

// -----

// A positive score is a vote for the first class of its pair; the second classes have the others.
// CHECK-LABEL: func.func @three(
// CHECK: forge.constant dense<{{\[\[}}1.000000e+00, -1.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00, -1.000000e+00], [0.000000e+00, 1.000000e+00, -1.000000e+00]]>
// CHECK: forge.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>
// CHECK: forge.argmax
func.func @three(%x: !torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,3],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.ml = 1 : si64}} {
  %0:2 = torch.operator "onnx.SVMClassifier"(%x) {torch.onnx_meta.domain = "ai.onnx.ml", torch.onnx.classlabels_ints = [0 : si64, 1 : si64, 2 : si64], torch.onnx.vectors_per_class = [1 : si64, 1 : si64, 1 : si64], torch.onnx.support_vectors = [0.0 : f32, 1.0 : f32, 2.0 : f32, 3.0 : f32, 4.0 : f32, 5.0 : f32, 6.0 : f32, 7.0 : f32, 8.0 : f32], torch.onnx.coefficients = [1.0 : f32, -1.0 : f32, 1.0 : f32, -1.0 : f32, 1.0 : f32, -1.0 : f32], torch.onnx.rho = [0.5 : f32, 0.25 : f32, 0.0 : f32]} : (!torch.vtensor<[4,3],f32>) -> (!torch.vtensor<[4],si64>, !torch.vtensor<[4,3],f32>)
  return %0#0, %0#1 : !torch.vtensor<[4],si64>, !torch.vtensor<[4,3],f32>
}

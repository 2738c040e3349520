// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// Gaussian elimination, with a pivot for each column but the last.
// CHECK-LABEL: func.func @batch(
// CHECK: forge.argmax %{{.+}} dim -2
// CHECK: forge.divide
// CHECK: forge.argmax
// CHECK: forge.divide
// CHECK: forge.reshape %{{.+}} shape [2, 5]
func.func @batch(%a0: !torch.vtensor<[2,5,3,3],f32>) -> (!torch.vtensor<[2,5],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %0 = torch.operator "onnx.Det"(%a0) {} : (!torch.vtensor<[2,5,3,3],f32>) -> !torch.vtensor<[2,5],f32>
  return %0 : !torch.vtensor<[2,5],f32>
}

// -----

// Elimination in 16 bits would lose too many digits: it is computed in f32.
// CHECK-LABEL: func.func @half(
// CHECK: forge.cast %{{.+}} dtype f32
func.func @half(%a0: !torch.vtensor<[3,3],f16>) -> (!torch.vtensor<[],f16>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %0 = torch.operator "onnx.Det"(%a0) {} : (!torch.vtensor<[3,3],f16>) -> !torch.vtensor<[],f16>
  return %0 : !torch.vtensor<[],f16>
}

// -----

func.func @oblong(%a0: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{expected square floating-point matrices that are not empty}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.Det"(%a0) {} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}

// -----

func.func @large(%a0: !torch.vtensor<[4,4],f32>) -> (!torch.vtensor<[],f32>)
    attributes {torch.onnx_meta.opset_version = 22 : si64} {
  // expected-error @below {{a matrix of more than 3 rows is too much to unroll}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.Det"(%a0) {} : (!torch.vtensor<[4,4],f32>) -> !torch.vtensor<[],f32>
  return %0 : !torch.vtensor<[],f32>
}

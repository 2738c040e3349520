// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[2,4],ui8>, %x1: !torch.vtensor<[4],f32>, %x2: !torch.vtensor<[],ui8>, %x3: !torch.vtensor<[2,4],ui8>, %x4: !torch.vtensor<[],f32>, %x5: !torch.vtensor<[],ui8>, %x6: !torch.vtensor<[],f32>, %x7: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[2,4],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected one scale (input 1) in float32, but got shape (4)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.QLinearAdd"(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[4],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %out : !torch.vtensor<[2,4],ui8>
}

// -----

func.func @f(%x0: !torch.vtensor<[2,4],ui8>, %x1: !torch.vtensor<[],f32>, %x2: !torch.vtensor<[],ui8>, %x3: !torch.vtensor<[2,4],si8>, %x4: !torch.vtensor<[],f32>, %x5: !torch.vtensor<[],ui8>, %x6: !torch.vtensor<[],f32>, %x7: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[2,4],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected operands of one type}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.QLinearAdd"(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,4],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %out : !torch.vtensor<[2,4],ui8>
}

// -----

func.func @f(%x0: !torch.vtensor<[2,4],si32>, %x1: !torch.vtensor<[],f32>, %x3: !torch.vtensor<[2,4],si32>, %x4: !torch.vtensor<[],f32>, %x6: !torch.vtensor<[],f32>) -> (!torch.vtensor<[2,4],si32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{expected 8-bit integers}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.QLinearAdd"(%x0, %x1, %none, %x3, %x4, %none, %x6, %none) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],si32>, !torch.vtensor<[],f32>, !torch.none, !torch.vtensor<[2,4],si32>, !torch.vtensor<[],f32>, !torch.none, !torch.vtensor<[],f32>, !torch.none) -> !torch.vtensor<[2,4],si32>
  return %out : !torch.vtensor<[2,4],si32>
}

// -----

// The type of a refused node's result is not known, so that nothing is said about it.
func.func @f(%x0: !torch.vtensor<[2,4],ui8>, %x1: !torch.vtensor<[],f32>, %x2: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[2,4],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{there is no converter for this op}}
  // expected-note @+1 {{operands: }}
  %0 = torch.operator "onnx.Unknown"(%x0) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],ui8>) -> !torch.none
  %out = torch.operator "onnx.QLinearAdd"(%0, %x1, %x2, %x0, %x1, %x2, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.none, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %out : !torch.vtensor<[2,4],ui8>
}

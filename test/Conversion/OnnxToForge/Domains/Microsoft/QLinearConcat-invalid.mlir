// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[],f32>, %x1: !torch.vtensor<[],ui8>, %x2: !torch.vtensor<[2,4],ui8>, %x3: !torch.vtensor<[],f32>, %x4: !torch.vtensor<[],ui8>, %x5: !torch.vtensor<[2,4],ui8>) -> (!torch.vtensor<[2,4],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected 2 inputs and 3 per operand, but got 6}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.QLinearConcat"(%x0, %x1, %x2, %x3, %x4, %x5) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.axis = 0 : si64} : (!torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,4],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %out : !torch.vtensor<[2,4],ui8>
}

// -----

func.func @f(%x0: !torch.vtensor<[],f32>, %x1: !torch.vtensor<[],ui8>, %x2: !torch.vtensor<[2,4],ui8>, %x3: !torch.vtensor<[],f32>, %x4: !torch.vtensor<[],ui8>, %x5: !torch.vtensor<[4],ui8>, %x6: !torch.vtensor<[],f32>, %x7: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[2,4],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected operands of one type and rank}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.QLinearConcat"(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.axis = 0 : si64} : (!torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %out : !torch.vtensor<[2,4],ui8>
}

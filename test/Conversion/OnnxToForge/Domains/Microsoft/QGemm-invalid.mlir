// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @rank(%a: !torch.vtensor<[4],ui8>, %b: !torch.vtensor<[4,3],ui8>, %s: !torch.vtensor<[],f32>, %z: !torch.vtensor<[],ui8>) -> !torch.vtensor<[3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @below {{expected matrices A and B, and a scale beside the zero point of Y}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.QGemm"(%a, %s, %z, %b, %s, %z) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[4,3],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}

// -----

func.func @scales(%a: !torch.vtensor<[2,4],ui8>, %b: !torch.vtensor<[4,3],ui8>, %s: !torch.vtensor<[],f32>, %sb: !torch.vtensor<[4],f32>, %z: !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @below {{expected one scale and zero point, or for B one per column}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.QGemm"(%a, %s, %z, %b, %sb, %z) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[4,3],ui8>, !torch.vtensor<[4],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}

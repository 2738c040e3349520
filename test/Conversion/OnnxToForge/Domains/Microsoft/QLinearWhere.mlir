// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @chosen
// CHECK: forge.where
// CHECK: return %{{.+}} : tensor<4xui8>
func.func @chosen(%c: !torch.vtensor<[4],i1>, %x: !torch.vtensor<[4],ui8>, %y: !torch.vtensor<[4],ui8>, %s: !torch.vtensor<[],f32>, %z: !torch.vtensor<[],ui8>) -> !torch.vtensor<[4],ui8>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %0 = torch.operator "onnx.QLinearWhere"(%c, %x, %s, %z, %y, %s, %z, %s, %z) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[4],i1>, !torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[4],ui8>
  return %0 : !torch.vtensor<[4],ui8>
}

// -----

func.func @mixed(%c: !torch.vtensor<[4],i1>, %x: !torch.vtensor<[4],ui8>, %y: !torch.vtensor<[4],si8>, %s: !torch.vtensor<[],f32>, %z: !torch.vtensor<[],ui8>) -> !torch.vtensor<[4],ui8>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @below {{expected operands of one type}}
  // expected-note @below {{operands}}
  %0 = torch.operator "onnx.QLinearWhere"(%c, %x, %s, %z, %y, %s, %z, %s, %z) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[4],i1>, !torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[4],si8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[4],ui8>
  return %0 : !torch.vtensor<[4],ui8>
}

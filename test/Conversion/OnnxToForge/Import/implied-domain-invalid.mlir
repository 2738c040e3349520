// RUN: forge-opt %s -split-input-file -verify-diagnostics --convert-onnx-to-forge

func.func @differentInBoth(%x: !torch.vtensor<[1,2,4],f32>) -> !torch.vtensor<[1,2,4],f32>
    attributes {torch.onnx_meta.opset_version = 23 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{node '' (Attention): its domain is not in the IR, and it may be of the default one or of 'com.microsoft'; set torch.onnx_meta.domain, or import the model with forge-mlir}}
  // expected-note @+1 {{operands:}}
  %0 = torch.operator "onnx.Attention"(%x, %x, %x) : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %0 : !torch.vtensor<[1,2,4],f32>
}

// -----

// The ops of an unregistered domain are unknown, so that any op may belong to it.
func.func @unknownDomain(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {org.example = 1 : si64}} {
  // expected-error @+2 {{node '' (Relu): its domain is not in the IR, and it may be of 'org.example'; set torch.onnx_meta.domain, or import the model with forge-mlir}}
  // expected-note @+1 {{operands:}}
  %0 = torch.operator "onnx.Relu"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// -----

// Before opset 14, only com.microsoft has Trilu, for which there is no converter.
func.func @noConverter(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    attributes {torch.onnx_meta.opset_version = 13 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{node '' (com.microsoft.Trilu, opset 1): there is no converter for this op}}
  // expected-note @+1 {{operands:}}
  %0 = torch.operator "onnx.Trilu"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

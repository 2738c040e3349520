// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @direction(%arg0: !torch.vtensor<[3],ui8>, %arg1: !torch.vtensor<[3],ui8>) -> !torch.vtensor<[3],ui8> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (BitShift, opset 11): attribute 'direction' must be LEFT or RIGHT, but is 'UP'}}
  // expected-note @+1 {{operands: ('tensor<3xui8>', 'tensor<3xui8>')}}
  %r = torch.operator "onnx.BitShift"(%arg0, %arg1) {torch.onnx.direction = "UP"} : (!torch.vtensor<[3],ui8>, !torch.vtensor<[3],ui8>) -> !torch.vtensor<[3],ui8>
  return %r : !torch.vtensor<[3],ui8>
}

// -----

func.func @missing(%arg0: !torch.vtensor<[3],ui8>, %arg1: !torch.vtensor<[3],ui8>) -> !torch.vtensor<[3],ui8> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (BitShift, opset 11): attribute 'direction' is missing}}
  // expected-note @+1 {{operands: ('tensor<3xui8>', 'tensor<3xui8>')}}
  %r = torch.operator "onnx.BitShift"(%arg0, %arg1) : (!torch.vtensor<[3],ui8>, !torch.vtensor<[3],ui8>) -> !torch.vtensor<[3],ui8>
  return %r : !torch.vtensor<[3],ui8>
}

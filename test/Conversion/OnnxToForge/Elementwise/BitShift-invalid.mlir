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

// -----

func.func @large(%arg0: !torch.vtensor<[1],ui64>) -> !torch.vtensor<[1],ui64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %a = torch.operator "onnx.Constant"() {torch.onnx.value = dense<18446744073709551615> : tensor<1xui64>} : () -> !torch.vtensor<[1],ui64>
  // expected-error @+2 {{node '' (BitShift, opset 11): a constant operand does not fit Int32 on the device}}
  // expected-note @+1 {{operands: ('tensor<1xui64>', 'tensor<1xui64>')}}
  %r = torch.operator "onnx.BitShift"(%a, %arg0) {torch.onnx.direction = "RIGHT"} : (!torch.vtensor<[1],ui64>, !torch.vtensor<[1],ui64>) -> !torch.vtensor<[1],ui64>
  return %r : !torch.vtensor<[1],ui64>
}

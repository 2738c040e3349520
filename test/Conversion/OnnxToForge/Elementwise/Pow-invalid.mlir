// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @integers(%arg0: !torch.vtensor<[2],si32>, %arg1: !torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  // expected-error @+2 {{node '' (Pow, opset 15): a power of integers is only supported with exponents 1, 2 and 3}}
  // expected-note @+1 {{operands: ('tensor<2xi32>', 'tensor<2xi32>')}}
  %r1 = torch.operator "onnx.Pow"(%arg0, %arg1) : (!torch.vtensor<[2],si32>, !torch.vtensor<[2],si32>) -> !torch.vtensor<[2],si32>
  return %r1 : !torch.vtensor<[2],si32>
}

// -----

func.func @wraps(%arg0: !torch.vtensor<[2],si8>) -> !torch.vtensor<[2],si8> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si8>} : () -> !torch.vtensor<[],si8>
  // expected-error @+2 {{node '' (Pow, opset 15): arithmetic on i8 wraps, which Int32 on the device does not; cast to int32 first}}
  // expected-note @+1 {{operands: ('tensor<2xi8>', 'tensor<i8>')}}
  %r2 = torch.operator "onnx.Pow"(%arg0, %c1) : (!torch.vtensor<[2],si8>, !torch.vtensor<[],si8>) -> !torch.vtensor<[2],si8>
  return %r2 : !torch.vtensor<[2],si8>
}

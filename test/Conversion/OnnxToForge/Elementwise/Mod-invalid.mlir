// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @zero(%arg0: !torch.vtensor<[3],si32>) -> !torch.vtensor<[3],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si32>} : () -> !torch.vtensor<[],si32>
  // expected-error @+2 {{node '' (Mod, opset 13): a division by the constant 0 has no result}}
  // expected-note @+1 {{operands: ('tensor<3xi32>', 'tensor<i32>')}}
  %r = torch.operator "onnx.Mod"(%arg0, %c0) : (!torch.vtensor<[3],si32>, !torch.vtensor<[],si32>) -> !torch.vtensor<[3],si32>
  return %r : !torch.vtensor<[3],si32>
}

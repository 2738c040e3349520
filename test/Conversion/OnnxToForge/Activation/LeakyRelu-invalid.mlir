// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// A float attribute given as an integer.
func.func @integers(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (LeakyRelu, opset 16): attribute 'alpha' is not a float}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.LeakyRelu"(%arg0) {torch.onnx.alpha = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

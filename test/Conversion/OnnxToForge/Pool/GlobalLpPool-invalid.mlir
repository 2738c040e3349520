// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @exponent(%arg0: !torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,1,1],f32> attributes {torch.onnx_meta.opset_version = 2 : si64} {
  // expected-error @+2 {{node '' (GlobalLpPool, opset 2): attribute 'p' must be at least 1}}
  // expected-note @+1 {{operands: ('tensor<1x1x4x4xf32>')}}
  %r = torch.operator "onnx.GlobalLpPool"(%arg0) {torch.onnx.p = -1 : si64} : (!torch.vtensor<[1,1,4,4],f32>) -> !torch.vtensor<[1,1,1,1],f32>
  return %r : !torch.vtensor<[1,1,1,1],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @slope(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (PRelu, opset 16): the slope does not broadcast to the shape of the operand}}
  // expected-note @+1 {{operands: ('tensor<3xf32>', 'tensor<2x3xf32>')}}
  %r = torch.operator "onnx.PRelu"(%arg0, %arg1) : (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}

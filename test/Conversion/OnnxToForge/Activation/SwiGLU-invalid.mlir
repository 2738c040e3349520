// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @types(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 28 : si64} {
  // expected-error @+2 {{node '' (SwiGLU, opset 28): the gate and the value must have one type}}
  // expected-note @+1 {{operands: ('tensor<3xf32>', 'tensor<4xf32>')}}
  %r = torch.operator "onnx.SwiGLU"(%arg0, %arg1) : (!torch.vtensor<[3],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

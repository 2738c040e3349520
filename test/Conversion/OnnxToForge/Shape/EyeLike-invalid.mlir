// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @rank(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{node '' (EyeLike, opset 9): the operand must have rank 2 and not too many elements, and the result a type the device can hold}}
  // expected-note @+1 {{operands: ('tensor<2xf32>')}}
  %r = torch.operator "onnx.EyeLike"(%arg0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

// -----

func.func @large(%arg0: !torch.vtensor<[8192,8192],f32>) -> !torch.vtensor<[8192,8192],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{node '' (EyeLike, opset 9): the operand must have rank 2 and not too many elements, and the result a type the device can hold}}
  // expected-note @+1 {{operands: ('tensor<8192x8192xf32>')}}
  %r = torch.operator "onnx.EyeLike"(%arg0) : (!torch.vtensor<[8192,8192],f32>) -> !torch.vtensor<[8192,8192],f32>
  return %r : !torch.vtensor<[8192,8192],f32>
}

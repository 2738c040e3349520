// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Hardmax, opset 13): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r = torch.operator "onnx.Hardmax"(%arg0) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}

// -----

func.func @flattened_axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (Hardmax, opset 11): axis 3 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r = torch.operator "onnx.Hardmax"(%arg0) {torch.onnx.axis = 3 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r : !torch.vtensor<[2,3],f32>
}

// -----

// A table of the positions would take the memory of the compiler.
func.func @large(%arg0: !torch.vtensor<[1,2000000000],f32>) -> !torch.vtensor<[1,2000000000],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Hardmax, opset 13): a table of more than 67108864 constants is not supported}}
  // expected-note @+1 {{operands: ('tensor<1x2000000000xf32>')}}
  %r = torch.operator "onnx.Hardmax"(%arg0) : (!torch.vtensor<[1,2000000000],f32>) -> !torch.vtensor<[1,2000000000],f32>
  return %r : !torch.vtensor<[1,2000000000],f32>
}

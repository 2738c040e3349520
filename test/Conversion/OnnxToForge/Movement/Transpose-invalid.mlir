// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @length(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Transpose, opset 13): attribute 'perm' has 1 axes for an operand of rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Transpose"(%arg0) {torch.onnx.perm = [0 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @twice(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Transpose, opset 13): perm name axis 0 twice}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Transpose"(%arg0) {torch.onnx.perm = [0 : si64, 0 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @outside(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Transpose, opset 13): perm 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Transpose"(%arg0) {torch.onnx.perm = [0 : si64, 2 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @no_list(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Transpose, opset 13): attribute 'perm' is not a list of integers}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Transpose"(%arg0) {torch.onnx.perm = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

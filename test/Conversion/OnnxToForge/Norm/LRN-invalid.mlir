// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @no_size(%arg0: !torch.vtensor<[2,5],f32>) -> !torch.vtensor<[2,5],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+3 {{node '' (LRN, opset 13): attribute 'size' is missing}}
  // expected-note @+2 {{operands: ('tensor<2x5xf32>')}}
  // expected-error @+1 {{node '' (LRN, opset 13): attribute 'size' must be positive}}
  %r1 = torch.operator "onnx.LRN"(%arg0) : (!torch.vtensor<[2,5],f32>) -> !torch.vtensor<[2,5],f32>
  return %r1 : !torch.vtensor<[2,5],f32>
}

// -----

func.func @size(%arg0: !torch.vtensor<[2,5],f32>) -> !torch.vtensor<[2,5],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (LRN, opset 13): attribute 'size' must be positive}}
  // expected-note @+1 {{operands: ('tensor<2x5xf32>')}}
  %r1 = torch.operator "onnx.LRN"(%arg0) {torch.onnx.size = 0 : si64} : (!torch.vtensor<[2,5],f32>) -> !torch.vtensor<[2,5],f32>
  return %r1 : !torch.vtensor<[2,5],f32>
}

// -----

func.func @rank(%arg0: !torch.vtensor<[5],f32>) -> !torch.vtensor<[5],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (LRN, opset 13): the operand must have rank 2 or more}}
  // expected-note @+1 {{operands: ('tensor<5xf32>')}}
  %r1 = torch.operator "onnx.LRN"(%arg0) {torch.onnx.size = 3 : si64} : (!torch.vtensor<[5],f32>) -> !torch.vtensor<[5],f32>
  return %r1 : !torch.vtensor<[5],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @rank(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+2 {{node '' (Trilu, opset 14): the operand must have rank 2 or more}}
  // expected-note @+1 {{operands: ('tensor<4xf32>')}}
  %r = torch.operator "onnx.Trilu"(%arg0) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<[4,4],f32>, %arg1: !torch.vtensor<[],si64>) -> !torch.vtensor<[4,4],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+3 {{node '' (Trilu, opset 14): k (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<4x4xf32>', 'tensor<i64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.Trilu"(%arg0, %arg1) : (!torch.vtensor<[4,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[4,4],f32>
  return %r : !torch.vtensor<[4,4],f32>
}

// -----

func.func @flag(%arg0: !torch.vtensor<[4,4],f32>) -> !torch.vtensor<[4,4],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+2 {{node '' (Trilu, opset 14): attribute 'upper' must be 0 or 1, but is 2}}
  // expected-note @+1 {{operands: ('tensor<4x4xf32>')}}
  %r = torch.operator "onnx.Trilu"(%arg0) {torch.onnx.upper = 2 : si64} : (!torch.vtensor<[4,4],f32>) -> !torch.vtensor<[4,4],f32>
  return %r : !torch.vtensor<[4,4],f32>
}

// -----

func.func @large(%arg0: !torch.vtensor<[8192,8192],f32>) -> !torch.vtensor<[8192,8192],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+2 {{node '' (Trilu, opset 14): the matrices have too many elements}}
  // expected-note @+1 {{operands: ('tensor<8192x8192xf32>')}}
  %r = torch.operator "onnx.Trilu"(%arg0) : (!torch.vtensor<[8192,8192],f32>) -> !torch.vtensor<[8192,8192],f32>
  return %r : !torch.vtensor<[8192,8192],f32>
}

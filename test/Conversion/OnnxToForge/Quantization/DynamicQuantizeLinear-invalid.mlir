// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @half(%arg0: !torch.vtensor<[4],f16>) -> (!torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (DynamicQuantizeLinear, opset 11): the operand must be float32 and not empty}}
  // expected-note @+1 {{operands: ('tensor<4xf16>')}}
  %r:3 = torch.operator "onnx.DynamicQuantizeLinear"(%arg0) : (!torch.vtensor<[4],f16>) -> (!torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>)
  return %r#0, %r#1, %r#2 : !torch.vtensor<[4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>
}

// -----

func.func @empty(%arg0: !torch.vtensor<[0],f32>) -> (!torch.vtensor<[0],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+2 {{node '' (DynamicQuantizeLinear, opset 11): the operand must be float32 and not empty}}
  // expected-note @+1 {{operands: ('tensor<0xf32>')}}
  %r:3 = torch.operator "onnx.DynamicQuantizeLinear"(%arg0) : (!torch.vtensor<[0],f32>) -> (!torch.vtensor<[0],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>)
  return %r#0, %r#1, %r#2 : !torch.vtensor<[0],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>
}

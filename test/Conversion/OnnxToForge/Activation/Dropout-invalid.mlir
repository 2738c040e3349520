// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// The default of is_test is 0, training mode.
func.func @training(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  // expected-error @+2 {{node '' (Dropout, opset 6): training mode (is_test = 0) is random}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Dropout"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @training_mode(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %none = torch.constant.none
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<true> : tensor<i1>} : () -> !torch.vtensor<[],i1>
  // expected-error @+2 {{node '' (Dropout, opset 12): training mode is random}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', '!torch.none', 'tensor<i1>')}}
  %r2 = torch.operator "onnx.Dropout"(%arg0, %none, %c1) : (!torch.vtensor<[2,3],f32>, !torch.none, !torch.vtensor<[],i1>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @unknown_mode(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[],i1>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %none = torch.constant.none
  // expected-error @+3 {{node '' (Dropout, opset 12): training_mode (input 2) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<2x3xf32>', '!torch.none', 'tensor<i1>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %r1 = torch.operator "onnx.Dropout"(%arg0, %none, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.none, !torch.vtensor<[],i1>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

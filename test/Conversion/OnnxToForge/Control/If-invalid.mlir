// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// If the condition is a constant, the other branch may be one that the device cannot run.
func.func @constant_condition(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %c = torch.operator "onnx.Constant"() {torch.onnx.value = dense<true> : tensor<i1>} : () -> !torch.vtensor<[],i1>
  %0 = torch.operator "onnx.If"(%c) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[4],f32> {
    %1 = torch.operator "onnx.Foo"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    torch.operator_terminator %1 : !torch.vtensor<[4],f32>
  }, {
    %1 = torch.operator "onnx.Abs"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    torch.operator_terminator %1 : !torch.vtensor<[4],f32>
  }
  return %0 : !torch.vtensor<[4],f32>
}

// -----

// Otherwise the refusal says that a constant condition would help.
func.func @dynamic_condition(%x: !torch.vtensor<[4],f32>, %c: !torch.vtensor<[],i1> loc("flag")) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @below {{[FM1201] node '' (If, opset 17): branch 'else_branch' cannot run on the device, and both branches run unless the condition (input 0) is known at compile time}}
  // expected-note @below {{operands}}
  // expected-note @below {{bind input 'flag' to a value with --bind flag=FILE.npy}}
  %0 = torch.operator "onnx.If"(%c) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[4],f32> {
    // expected-error @below {{there is no converter for this op}}
    // expected-note @below {{operands}}
    %1 = torch.operator "onnx.Foo"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    torch.operator_terminator %1 : !torch.vtensor<[4],f32>
  }, {
    %1 = torch.operator "onnx.Abs"(%x) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    torch.operator_terminator %1 : !torch.vtensor<[4],f32>
  }
  return %0 : !torch.vtensor<[4],f32>
}

// -----

// A declared shape that is only a hint of the importer may be wrong: the computed shape is used, with a warning.
func.func @hinted(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-warning @below {{[FM0112] node '': output 0 is declared as !torch.vtensor<[2,2],f32>, and is computed as tensor<4xf32>, which is taken}}
  %0 = torch.operator "onnx.Abs"(%x) {torch.onnx_meta.hinted_results = [0 : si64]} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[2,2],f32>
  %1 = torch.operator "onnx.Neg"(%0) : (!torch.vtensor<[2,2],f32>) -> !torch.vtensor<[4],f32>
  return %1 : !torch.vtensor<[4],f32>
}

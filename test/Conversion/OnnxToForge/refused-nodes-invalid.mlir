// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

// If a value is needed at compile time, notes name the inputs that it depends on, except those that only constants use.
func.func @f(%x: !torch.vtensor<[2,3],f32>, %shape: !torch.vtensor<[2],si64> loc("my shape")) -> !torch.vtensor<[3,2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %same = torch.operator "onnx.Identity"(%shape) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  // expected-error @+3 {{(Reshape, opset 13): shape (input 1) must be known at compile time}}
  // expected-note @+2 {{operands}}
  // expected-note @+1 {{bind input 'my shape' to a value with --bind}}
  %y = torch.operator "onnx.Reshape"(%x, %same) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2],f32>
  return %y : !torch.vtensor<[3,2],f32>
}

// -----

// A node that depends on a refused node is not reported.
func.func @g(%x: !torch.vtensor<[2,3],f32>, %shape: !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{(Nonsense, opset 13): there is no converter for this op}}
  // expected-note @+1 {{operands}}
  %same = torch.operator "onnx.Nonsense"(%shape) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  %y = torch.operator "onnx.Reshape"(%x, %same) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2],f32>
  return %y : !torch.vtensor<[3,2],f32>
}

// -----

// The notes include inputs that a subgraph uses from its enclosing graph.
func.func @h(%x: !torch.vtensor<[2,3],f32>, %c: !torch.vtensor<[],i1> loc("which"), %shape: !torch.vtensor<[2],si64> loc("my shape")) -> !torch.vtensor<[3,2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %s = torch.operator "onnx.If"(%c) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[2],si64> {
    %e = torch.operator "onnx.Identity"(%shape) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
    torch.operator_terminator %e : !torch.vtensor<[2],si64>
  }, {
    %t = torch.operator "onnx.Identity"(%shape) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
    torch.operator_terminator %t : !torch.vtensor<[2],si64>
  }
  // expected-error @+4 {{(Reshape, opset 13): shape (input 1) must be known at compile time}}
  // expected-note @+3 {{operands}}
  // expected-note @+2 {{bind input 'which' to a value with --bind}}
  // expected-note @+1 {{bind input 'my shape' to a value with --bind}}
  %y = torch.operator "onnx.Reshape"(%x, %s) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,2],f32>
  return %y : !torch.vtensor<[3,2],f32>
}

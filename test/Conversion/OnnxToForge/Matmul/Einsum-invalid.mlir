// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @dots(%x: !torch.vtensor<[3,3],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  // expected-error @+2 {{attribute 'equation' is not valid: a term does not name the 2 dims of its input}}
  // expected-note @+1 {{operands}}
  %y = torch.operator "onnx.Einsum"(%x) {torch.onnx.equation = "i..j->i"} : (!torch.vtensor<[3,3],f32>) -> !torch.vtensor<[3],f32>
  return %y : !torch.vtensor<[3],f32>
}

// -----

func.func @sizes(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  // expected-error @+2 {{one label has the sizes 2 and 3}}
  // expected-note @+1 {{operands}}
  %y = torch.operator "onnx.Einsum"(%x) {torch.onnx.equation = "ii->"} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32>
  return %y : !torch.vtensor<[],f32>
}

// -----

func.func @two_arrows(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  // expected-error @+2 {{attribute 'equation' is not valid: its output has a character that is no label, or two ellipses}}
  // expected-note @+1 {{operands}}
  %r = torch.operator "onnx.Einsum"(%arg0) {torch.onnx.equation = "ij->->i"} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

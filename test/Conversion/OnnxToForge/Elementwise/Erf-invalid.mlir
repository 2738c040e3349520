// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics

func.func @integers(%x: !torch.vtensor<[4],si32>) -> !torch.vtensor<[4],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error@+2 {{this function of integers rounds, which ONNX leaves open; cast to float32 first}}
  // expected-note@+1 {{operands: ('tensor<4xi32>')}}
  %0 = torch.operator "onnx.Erf"(%x) : (!torch.vtensor<[4],si32>) -> !torch.vtensor<[4],si32>
  return %0 : !torch.vtensor<[4],si32>
}

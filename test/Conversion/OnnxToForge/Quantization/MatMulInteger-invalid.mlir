// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[2,70000],ui8>, %y: !torch.vtensor<[70000,4],ui8>) -> (!torch.vtensor<[2,4],si32>) attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{too long to stay exact in f32}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulInteger"(%x, %y) : (!torch.vtensor<[2,70000],ui8>, !torch.vtensor<[70000,4],ui8>) -> !torch.vtensor<[2,4],si32>
  return %out : !torch.vtensor<[2,4],si32>
}

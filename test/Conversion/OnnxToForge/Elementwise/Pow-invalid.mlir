// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @truncates(%x: !torch.vtensor<[3],si32>, %y: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],si32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  // expected-error @+2 {{a power of an integer with a float exponent is truncated}}
  // expected-note @+1 {{operands}}
  %z = torch.operator "onnx.Pow"(%x, %y) : (!torch.vtensor<[3],si32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],si32>
  return %z : !torch.vtensor<[3],si32>
}

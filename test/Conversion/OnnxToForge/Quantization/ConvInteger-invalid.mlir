// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[1,1,3,3,3,3],ui8>, %w: !torch.vtensor<[1,1,2,2,2,2],ui8>) -> (!torch.vtensor<[1,1,2,2,2,2],si32>) attributes {torch.onnx_meta.opset_version = 10 : si64} {
  // expected-error @+2 {{over other than 1, 2 or 3 spatial axes}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.ConvInteger"(%x, %w) : (!torch.vtensor<[1,1,3,3,3,3],ui8>, !torch.vtensor<[1,1,2,2,2,2],ui8>) -> !torch.vtensor<[1,1,2,2,2,2],si32>
  return %out : !torch.vtensor<[1,1,2,2,2,2],si32>
}

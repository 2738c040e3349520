// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x: !torch.vtensor<[1,2,5],f32>, %w: !torch.vtensor<[2,2,3],f32>) -> (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,2],f32>) attributes {torch.onnx_meta.opset_version = 27 : si64} {
  // expected-error @+2 {{the weights or the state do not fit}}
  // expected-note @+1 {{operands: }}
  %out:2 = torch.operator "onnx.CausalConvWithState"(%x, %w) : (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[2,2,3],f32>) -> (!torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,2],f32>)
  return %out#0, %out#1 : !torch.vtensor<[1,2,5],f32>, !torch.vtensor<[1,2,2],f32>
}

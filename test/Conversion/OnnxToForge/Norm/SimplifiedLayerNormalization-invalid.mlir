// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[2,3,4],f32>, %x1: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  // expected-error @+2 {{scale or bias does not broadcast to the operand}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.SimplifiedLayerNormalization"(%x0, %x1) {torch.onnx_meta.domain = ""} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %out : !torch.vtensor<[2,3,4],f32>
}

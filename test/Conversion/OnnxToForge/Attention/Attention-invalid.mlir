// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%q: !torch.vtensor<[1,3,16],f32>, %k: !torch.vtensor<[1,5,8],f32>, %v: !torch.vtensor<[1,5,8],f32>) -> (!torch.vtensor<[1,3,16],f32>) attributes {torch.onnx_meta.opset_version = 23 : si64} {
  // expected-error @+2 {{an operand does not split into 3 heads}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%q, %k, %v) {torch.onnx.q_num_heads = 3 : si64, torch.onnx.kv_num_heads = 2 : si64} : (!torch.vtensor<[1,3,16],f32>, !torch.vtensor<[1,5,8],f32>, !torch.vtensor<[1,5,8],f32>) -> !torch.vtensor<[1,3,16],f32>
  return %out : !torch.vtensor<[1,3,16],f32>
}

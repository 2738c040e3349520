// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%q: !torch.vtensor<[1,1,4],f32>, %k: !torch.vtensor<[1,1,4],f32>, %v: !torch.vtensor<[1,1,4],f32>) -> (!torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,2,2,2],f32>) attributes {torch.onnx_meta.opset_version = 27 : si64} {
  // expected-error @+2 {{does not fit the operands 'decay' and 'beta'}}
  // expected-note @+1 {{operands: }}
  %out:2 = torch.operator "onnx.LinearAttention"(%q, %k, %v) {torch.onnx.q_num_heads = 2 : si64, torch.onnx.kv_num_heads = 2 : si64} : (!torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,1,4],f32>) -> (!torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,2,2,2],f32>)
  return %out#0, %out#1 : !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[1,2,2,2],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,2,4],f32>, %x1: !torch.vtensor<[1,2,4],f32>, %x2: !torch.vtensor<[3],f32>, %x3: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{gamma or beta does not fit an operand of shape (1, 2, 4)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.SkipLayerNormalization"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %out : !torch.vtensor<[1,2,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,2,4],f32>, %x1: !torch.vtensor<[1,1,4],f32>, %x2: !torch.vtensor<[4],f32>, %x3: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{skip or bias does not fit an operand of shape (1, 2, 4)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.SkipLayerNormalization"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %out : !torch.vtensor<[1,2,4],f32>
}

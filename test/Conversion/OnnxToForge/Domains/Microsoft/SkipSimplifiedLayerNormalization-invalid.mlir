// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,2,4],f32>, %x1: !torch.vtensor<[1,2,4],f32>, %x2: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{gamma or beta does not fit an operand of shape (1, 2, 4)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.SkipSimplifiedLayerNormalization"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %out : !torch.vtensor<[1,2,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,2,4],f32>, %x1: !torch.vtensor<[1,1,4],f32>, %x2: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{skip or bias does not fit an operand of shape (1, 2, 4)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.SkipSimplifiedLayerNormalization"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,1,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,2,4],f32>
  return %out : !torch.vtensor<[1,2,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,2,4],f32>, %x1: !torch.vtensor<[1,2,4],f32>, %x2: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,1],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{output 1 cannot be computed on the device}}
  // expected-note @+1 {{operands: }}
  %out:2 = torch.operator "onnx.SkipSimplifiedLayerNormalization"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,1],f32>)
  return %out#0, %out#1 : !torch.vtensor<[1,2,4],f32>, !torch.vtensor<[1,2,1],f32>
}

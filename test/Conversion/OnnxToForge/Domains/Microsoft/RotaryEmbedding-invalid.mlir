// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1],si64>, %x2: !torch.vtensor<[6,2],f32>, %x3: !torch.vtensor<[6,2],f32>) -> (!torch.vtensor<[1,3,8],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{attribute 'scale' must be 1: onnxruntime does not apply another one}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.RotaryEmbedding"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.scale = 2.0 : f32} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[6,2],f32>, !torch.vtensor<[6,2],f32>) -> !torch.vtensor<[1,3,8],f32>
  return %out : !torch.vtensor<[1,3,8],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1],si64>, %x2: !torch.vtensor<[6,2],f32>, %x3: !torch.vtensor<[6,2],f32>) -> (!torch.vtensor<[1,3,8],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{packed batches (attribute 'is_packed_batching') are not supported}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.RotaryEmbedding"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.is_packed_batching = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[6,2],f32>, !torch.vtensor<[6,2],f32>) -> !torch.vtensor<[1,3,8],f32>
  return %out : !torch.vtensor<[1,3,8],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1],si64>, %x2: !torch.vtensor<[6,2],f32>, %x3: !torch.vtensor<[6,2],f32>) -> (!torch.vtensor<[1,3,8],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{attribute 'rotary_embedding_dim' needs 'num_heads'}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.RotaryEmbedding"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.rotary_embedding_dim = 4 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[6,2],f32>, !torch.vtensor<[6,2],f32>) -> !torch.vtensor<[1,3,8],f32>
  return %out : !torch.vtensor<[1,3,8],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1,2],si64>, %x2: !torch.vtensor<[6,2],f32>, %x3: !torch.vtensor<[6,2],f32>) -> (!torch.vtensor<[1,3,8],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected positions of shape (1) or (1, 3), but got (1, 2)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.RotaryEmbedding"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1,2],si64>, !torch.vtensor<[6,2],f32>, !torch.vtensor<[6,2],f32>) -> !torch.vtensor<[1,3,8],f32>
  return %out : !torch.vtensor<[1,3,8],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,8],f32>, %x1: !torch.vtensor<[1],si64>, %x2: !torch.vtensor<[6,2],f32>, %x3: !torch.vtensor<[6,2],f32>) -> (!torch.vtensor<[1,3,8],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected caches with half as many values as the 8 rotated ones of a head of 8, but got 2}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.RotaryEmbedding"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 1 : si64} : (!torch.vtensor<[1,3,8],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[6,2],f32>, !torch.vtensor<[6,2],f32>) -> !torch.vtensor<[1,3,8],f32>
  return %out : !torch.vtensor<[1,3,8],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[3,8],f32>, %x1: !torch.vtensor<[1],si64>, %x2: !torch.vtensor<[6,2],f32>, %x3: !torch.vtensor<[6,2],f32>) -> (!torch.vtensor<[1,3,8],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected an operand of rank 3 or 4 and two caches of one shape}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.RotaryEmbedding"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[3,8],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[6,2],f32>, !torch.vtensor<[6,2],f32>) -> !torch.vtensor<[1,3,8],f32>
  return %out : !torch.vtensor<[1,3,8],f32>
}

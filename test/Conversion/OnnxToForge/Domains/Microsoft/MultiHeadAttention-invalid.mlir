// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[1,5,4],f32>, %x2: !torch.vtensor<[1,5,4],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{attribute 'unidirectional' needs as many new keys as queries, 3, but there are 5}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MultiHeadAttention"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.unidirectional = 1 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,5,4],f32>, !torch.vtensor<[1,5,4],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[1,5,4],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{query, key and value of ranks 3, 3 and 0 are not supported}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MultiHeadAttention"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,5,4],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[1,5,2,3,2],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected packed operands (batch, sequence, 2, 2, size), but got (1, 5, 2, 3, 2)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MultiHeadAttention"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,5,2,3,2],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[1,5,4],f32>, %x2: !torch.vtensor<[1,5,4],f32>, %x3: !torch.vtensor<[10],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected a bias of 12 values, but got shape (10)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MultiHeadAttention"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,5,4],f32>, !torch.vtensor<[1,5,4],f32>, !torch.vtensor<[10],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[1,5,4],f32>, %x2: !torch.vtensor<[1,5,4],f32>, %x4: !torch.vtensor<[5],si32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{expected a mask of shape (1), (1, 5) or (1, 3, 5), but got (5)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MultiHeadAttention"(%x0, %x1, %x2, %none, %x4) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,5,4],f32>, !torch.vtensor<[1,5,4],f32>, !torch.none, !torch.vtensor<[5],si32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>, %x6: !torch.vtensor<[1,2,2,2],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{past key and past value come together}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MultiHeadAttention"(%x0, %x1, %x2, %none, %none, %none, %x6) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.none, !torch.vtensor<[1,2,2,2],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[1,3,4],f32>, %x2: !torch.vtensor<[1,3,4],f32>, %x6: !torch.vtensor<[1,2,2,2],f32>, %x7: !torch.vtensor<[1,2,2,2],f32>, %x8: !torch.vtensor<[1],si32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{a buffer that past and present share, or beams, are not supported}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MultiHeadAttention"(%x0, %x1, %x2, %none, %none, %none, %x6, %x7, %x8) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,3,4],f32>, !torch.none, !torch.none, !torch.none, !torch.vtensor<[1,2,2,2],f32>, !torch.vtensor<[1,2,2,2],f32>, !torch.vtensor<[1],si32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[1,5,4],f32>, %x2: !torch.vtensor<[1,4,4],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{the shapes of Q, K and V by heads do not fit: (1, 2, 3, 2), (1, 2, 5, 2), (1, 2, 4, 2)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MultiHeadAttention"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[1,5,4],f32>, !torch.vtensor<[1,4,4],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

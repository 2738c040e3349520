// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>, %x3: !torch.vtensor<[2],si32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected a mask of shape (1), (1, 3) or (1, 3, 3), but got (2)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>, !torch.vtensor<[2],si32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>, %x3: !torch.vtensor<[5],si32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected a mask of shape (1), (1, 3) or (1, 3, 3), but got (5)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>, !torch.vtensor<[5],si32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>, %x3: !torch.vtensor<[1,1,8,8],si32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{but got (1, 1, 8, 8)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>, !torch.vtensor<[1,1,8,8],si32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{attribute 'do_rotary' is not supported}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.do_rotary = 1 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{a buffer that past and present share is not supported}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.past_present_share_buffer = 1 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{weights, bias and attribute 'qkv_hidden_sizes' do not fit: 12 columns for (4, 4, 6)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.qkv_hidden_sizes = [4 : si64, 4 : si64, 6 : si64]} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>, %x4: !torch.vtensor<[2,1,2,2,3],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{expected past keys or values of shape (1, 2, 2, 2), but got (1, 2, 2, 3)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2, %none, %x4) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>, !torch.none, !torch.vtensor<[2,1,2,2,3],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>, %x5: !torch.vtensor<[1,1,1,3],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{expected an attention bias of (1 or batch, 1 or heads, 3, 3), but got (1, 1, 1, 3)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2, %none, %none, %x5) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>, !torch.none, !torch.none, !torch.vtensor<[1,1,1,3],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[5,12],f32>, %x2: !torch.vtensor<[12],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected an operand (batch, sequence, size) and weights (size, projected)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[5,12],f32>, !torch.vtensor<[12],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,3,4],f32>, %x1: !torch.vtensor<[4,12],f32>, %x2: !torch.vtensor<[12],f32>) -> (!torch.vtensor<[1,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{attribute 'scale' is negative}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.Attention"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.num_heads = 2 : si64, torch.onnx.scale = -1.0 : f32} : (!torch.vtensor<[1,3,4],f32>, !torch.vtensor<[4,12],f32>, !torch.vtensor<[12],f32>) -> !torch.vtensor<[1,3,4],f32>
  return %out : !torch.vtensor<[1,3,4],f32>
}

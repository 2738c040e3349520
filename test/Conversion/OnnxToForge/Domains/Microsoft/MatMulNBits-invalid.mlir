// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,16],f32>, %x1: !torch.vtensor<[2,1,4],ui8>, %x2: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{the operands do not fit attributes 'K', 'N' and 'block_size'}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulNBits"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,4],ui8>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,16],f32>, %x1: !torch.vtensor<[2,1,8],ui8>, %x2: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{attributes 'bits', 'block_size', 'K' or 'N' are not supported}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulNBits"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64, torch.onnx.bits = 3 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,8],ui8>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,16],f32>, %x1: !torch.vtensor<[2,1,8],ui8>, %x2: !torch.vtensor<[2],f32>, %x3: !torch.vtensor<[3],ui8>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected 2 bytes or 2 floats as zero points, but got shape (3)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulNBits"(%x0, %x1, %x2, %x3) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,8],ui8>, !torch.vtensor<[2],f32>, !torch.vtensor<[3],ui8>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,16],f32>, %x1: !torch.vtensor<[2,1,8],ui8>, %x2: !torch.vtensor<[2],f32>, %x3: !torch.vtensor<[2],ui8>, %x4: !torch.vtensor<[16],si32>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{a group index with packed zero points is not supported}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulNBits"(%x0, %x1, %x2, %x3, %x4) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,8],ui8>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],ui8>, !torch.vtensor<[16],si32>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,16],f32>, %x1: !torch.vtensor<[2,1,16],ui8>, %x2: !torch.vtensor<[2],f32>, %x4: !torch.vtensor<[16],si32>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{a group index is supported with 4 bits only, but attribute 'bits' is 8}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulNBits"(%x0, %x1, %x2, %none, %x4) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64, torch.onnx.bits = 8 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,16],ui8>, !torch.vtensor<[2],f32>, !torch.none, !torch.vtensor<[16],si32>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,16],f32>, %x1: !torch.vtensor<[2,1,8],ui8>, %x2: !torch.vtensor<[2],f32>, %x4: !torch.vtensor<[8],si32>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{expected a group index of 16 integers, but got shape (8)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulNBits"(%x0, %x1, %x2, %none, %x4) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,8],ui8>, !torch.vtensor<[2],f32>, !torch.none, !torch.vtensor<[8],si32>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,16],f32>, %x1: !torch.vtensor<[2,1,8],ui8>, %x2: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[1,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{weights in the layout of one device (attribute 'weight_prepacked') are not supported}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MatMulNBits"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.K = 16 : si64, torch.onnx.N = 2 : si64, torch.onnx.block_size = 16 : si64, torch.onnx.weight_prepacked = 1 : si64} : (!torch.vtensor<[1,16],f32>, !torch.vtensor<[2,1,8],ui8>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[1,2],f32>
  return %out : !torch.vtensor<[1,2],f32>
}

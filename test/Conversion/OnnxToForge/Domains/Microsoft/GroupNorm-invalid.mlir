// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,2,3,4],f32>, %x1: !torch.vtensor<[4],f32>, %x2: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected an operand of rank 4 whose channels attribute 'groups' divides, but got (1, 2, 3, 4)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.GroupNorm"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.groups = 3 : si64, torch.onnx.activation = 0 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,2,3,4],f32>, %x1: !torch.vtensor<[4],f32>, %x2: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{attribute 'activation' must be 0 or 1, but is 2}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.GroupNorm"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.groups = 2 : si64, torch.onnx.activation = 2 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,2,3,4],f32>, %x1: !torch.vtensor<[3],f32>, %x2: !torch.vtensor<[4],f32>) -> (!torch.vtensor<[1,2,3,4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected gamma, beta and bias of 4 values}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.GroupNorm"(%x0, %x1, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.groups = 2 : si64, torch.onnx.activation = 1 : si64} : (!torch.vtensor<[1,2,3,4],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,2,3,4],f32>
  return %out : !torch.vtensor<[1,2,3,4],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[1,2,4,4],f32>, %x1: !torch.vtensor<[3,2,3,3],f32>) -> (!torch.vtensor<[1,3,2,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{activation 'Elu' is not supported; Relu, Sigmoid, Tanh, LeakyRelu, Clip and HardSigmoid are}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.FusedConv"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.activation = "Elu"} : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[3,2,3,3],f32>) -> !torch.vtensor<[1,3,2,2],f32>
  return %out : !torch.vtensor<[1,3,2,2],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,2,4,4],f32>, %x1: !torch.vtensor<[3,2,3,3],f32>) -> (!torch.vtensor<[1,3,2,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected 2 parameters for activation 'Clip', but got 0}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.FusedConv"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.activation = "Clip"} : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[3,2,3,3],f32>) -> !torch.vtensor<[1,3,2,2],f32>
  return %out : !torch.vtensor<[1,3,2,2],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[1,2,4,4],f32>, %x1: !torch.vtensor<[3,2,3,3],f32>, %x3: !torch.vtensor<[1,3,1,1],f32>) -> (!torch.vtensor<[1,3,2,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %none = torch.constant.none
  // expected-error @+2 {{expected a residual of shape (1, 3, 2, 2), but got (1, 3, 1, 1)}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.FusedConv"(%x0, %x1, %none, %x3) {torch.onnx_meta.domain = "com.microsoft"} : (!torch.vtensor<[1,2,4,4],f32>, !torch.vtensor<[3,2,3,3],f32>, !torch.none, !torch.vtensor<[1,3,1,1],f32>) -> !torch.vtensor<[1,3,2,2],f32>
  return %out : !torch.vtensor<[1,3,2,2],f32>
}

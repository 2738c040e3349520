// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[3,4],f32>, %x1: !torch.vtensor<[4,5],f32>) -> (!torch.vtensor<[3,5],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{activation 'Elu' is not supported}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.FusedGemm"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.activation = "Elu"} : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[3,5],f32>
  return %out : !torch.vtensor<[3,5],f32>
}

// -----

func.func @f(%x0: !torch.vtensor<[3,4],f32>, %x1: !torch.vtensor<[4,5],f32>) -> (!torch.vtensor<[3,5],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-error @+2 {{expected 1 parameters for activation 'LeakyRelu', but got 0}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.FusedGemm"(%x0, %x1) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.activation = "LeakyRelu"} : (!torch.vtensor<[3,4],f32>, !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[3,5],f32>
  return %out : !torch.vtensor<[3,5],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f(%x0: !torch.vtensor<[2,4],ui8>, %x1: !torch.vtensor<[],f32>, %x2: !torch.vtensor<[],ui8>, %x3: !torch.vtensor<[],f32>) -> (!torch.vtensor<[2,4],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  // expected-note @+3 {{bind input}}
  // expected-error @+2 {{the scale of the result (input 3) must be known at compile time}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.QLinearSoftmax"(%x0, %x1, %x2, %x3, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.opset = 13 : si64} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %out : !torch.vtensor<[2,4],ui8>
}

// -----

func.func @f(%x0: !torch.vtensor<[2,4],ui8>, %x1: !torch.vtensor<[],f32>, %x2: !torch.vtensor<[],ui8>) -> (!torch.vtensor<[2,4],ui8>) attributes {torch.onnx_meta.opset_version = 17 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %x3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3.000000e-03> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  // expected-error @+2 {{expected a scale of the result whose reciprocal is an integer; onnxruntime rounds others down}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.QLinearSoftmax"(%x0, %x1, %x2, %x3, %x2) {torch.onnx_meta.domain = "com.microsoft", torch.onnx.opset = 13 : si64} : (!torch.vtensor<[2,4],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>, !torch.vtensor<[],f32>, !torch.vtensor<[],ui8>) -> !torch.vtensor<[2,4],ui8>
  return %out : !torch.vtensor<[2,4],ui8>
}

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @too_many(%x: !torch.vtensor<[9000],f32>) -> !torch.vtensor<[200],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{the 200 largest of 9000 take more steps than the device allows}}
  // expected-note @+1 {{operands}}
  %v, %i = torch.operator "onnx.TopK"(%x) {torch.onnx.k = 200 : si64} : (!torch.vtensor<[9000],f32>) -> (!torch.vtensor<[200],f32>, !torch.vtensor<[200],si64>)
  return %v : !torch.vtensor<[200],f32>
}

// -----

func.func @beyond(%x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{k = 4 is outside an axis of size 3}}
  // expected-note @+1 {{operands}}
  %v, %i = torch.operator "onnx.TopK"(%x) {torch.onnx.k = 4 : si64} : (!torch.vtensor<[3],f32>) -> (!torch.vtensor<[4],f32>, !torch.vtensor<[4],si64>)
  return %v : !torch.vtensor<[4],f32>
}

// -----

func.func @scalar(%x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %k = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{k (input 1) must have rank 1 and one element, but has rank 0 and 1 elements}}
  // expected-note @+1 {{operands}}
  %v, %i = torch.operator "onnx.TopK"(%x, %k) : (!torch.vtensor<[3],f32>, !torch.vtensor<[],si64>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],si64>)
  return %v : !torch.vtensor<[2],f32>
}

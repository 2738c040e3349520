// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @too_many(%x: !torch.vtensor<[9000],f32>) -> !torch.vtensor<[933],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{of 1 x 9000 elements, the device can take 932 per row at most, but k is 933}}
  // expected-note @+1 {{operands}}
  %v, %i = torch.operator "onnx.TopK"(%x) {torch.onnx.k = 933 : si64} : (!torch.vtensor<[9000],f32>) -> (!torch.vtensor<[933],f32>, !torch.vtensor<[933],si64>)
  return %v : !torch.vtensor<[933],f32>
}

// -----

func.func @rows(%x: !torch.vtensor<[100,9000],f32>) -> !torch.vtensor<[100,65],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{of 100 x 9000 elements, the device can take 64 per row at most, but k is 65}}
  // expected-note @+1 {{operands}}
  %v, %i = torch.operator "onnx.TopK"(%x) {torch.onnx.k = 65 : si64} : (!torch.vtensor<[100,9000],f32>) -> (!torch.vtensor<[100,65],f32>, !torch.vtensor<[100,65],si64>)
  return %v : !torch.vtensor<[100,65],f32>
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

// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @f() -> (!torch.vtensor<[5,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %a = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %b = torch.operator "onnx.Constant"() {torch.onnx.value = dense<8> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %d = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %e = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4000.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  // expected-error @+2 {{the sizes or frequencies make no sense}}
  // expected-note @+1 {{operands: }}
  %out = torch.operator "onnx.MelWeightMatrix"(%a, %b, %c, %d, %e) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[5,2],f32>
  return %out : !torch.vtensor<[5,2],f32>
}

// -----

// The number of the middle bin does not fit 64 bits, and that of the first one does.
func.func @far(%arg0: !torch.vtensor<[],f32>) -> !torch.vtensor<[9,1],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %bins = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %length = torch.operator "onnx.Constant"() {torch.onnx.value = dense<16> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %low = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4.0e17> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %high = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3.0e38> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  // expected-error @+2 {{a frequency lies outside the spectrogram}}
  // expected-note @+1 {{operands}}
  %r = torch.operator "onnx.MelWeightMatrix"(%bins, %length, %bins, %low, %high) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[9,1],f32>
  return %r : !torch.vtensor<[9,1],f32>
}

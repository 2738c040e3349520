// RUN: forge-opt %s --convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @wrap_before_19(%arg0: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,6],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 1, 0, 1]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expected-error-re @+2 {{{{.*'mode' must be constant, edge or reflect, but is 'wrap'}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.Pad"(%arg0, %c0) {torch.onnx.mode = "wrap"} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[2,6],f32>
  return %r : !torch.vtensor<[2,6],f32>
}

// -----

func.func @mixed(%arg0: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 1, 0, -1]> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  // expected-error-re @+2 {{{{.*no defined order.*}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.Pad"(%arg0, %c0) {torch.onnx.mode = "wrap"} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[4],si64>) -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

// The sum of these pads wraps to 0.
func.func @lowest(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-9223372036854775808> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error-re @+2 {{{{.*or one is beyond 32 bits}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.Pad"(%arg0, %c0) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

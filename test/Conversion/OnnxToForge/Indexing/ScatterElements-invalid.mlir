// RUN: forge-opt %s --convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @many(%arg0: !torch.vtensor<[300000],f32>, %arg1: !torch.vtensor<[65],si64>, %arg2: !torch.vtensor<[65],f32>) -> !torch.vtensor<[300000],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error-re @+2 {{{{.*65 updates at indices.*}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.ScatterElements"(%arg0, %arg1, %arg2) : (!torch.vtensor<[300000],f32>, !torch.vtensor<[65],si64>, !torch.vtensor<[65],f32>) -> !torch.vtensor<[300000],f32>
  return %r : !torch.vtensor<[300000],f32>
}

// -----

func.func @mean(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error-re @+2 {{{{.*'reduction' must be none, add, mul, max or min, but is 'mean'}}}}
  // expected-note-re @+1 {{{{operands: .*}}}}
  %r = torch.operator "onnx.ScatterElements"(%arg0, %c0, %arg1) {torch.onnx.reduction = "mean"} : (!torch.vtensor<[4],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

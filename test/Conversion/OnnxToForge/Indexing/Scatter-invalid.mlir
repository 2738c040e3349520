// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[2],si64>, %arg2: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{node '' (Scatter, opset 9): axis 1 is outside rank 1}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<2xi64>', 'tensor<2xf32>')}}
  %r = torch.operator "onnx.Scatter"(%arg0, %arg1, %arg2) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[4],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @updates(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[2],si64>, %arg2: !torch.vtensor<[3],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{node '' (Scatter, opset 9): the updates do not have the shape of the indices}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<2xi64>', 'tensor<3xf32>')}}
  %r = torch.operator "onnx.Scatter"(%arg0, %arg1, %arg2) : (!torch.vtensor<[4],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @outside(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[1],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[4]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Scatter, opset 9): index 4 is outside an axis of size 4}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<1xi64>', 'tensor<1xf32>')}}
  %r = torch.operator "onnx.Scatter"(%arg0, %c0, %arg1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @outside(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[0, 3]]> : tensor<1x2xsi64>} : () -> !torch.vtensor<[1,2],si64>
  // expected-error @+2 {{node '' (GatherND, opset 13): index 3 is outside an axis of size 3}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<1x2xi64>')}}
  %r2 = torch.operator "onnx.GatherND"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1,2],si64>) -> !torch.vtensor<[1],f32>
  return %r2 : !torch.vtensor<[1],f32>
}

// -----

func.func @tuple(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1x3xsi64>} : () -> !torch.vtensor<[1,3],si64>
  // expected-error @+2 {{node '' (GatherND, opset 13): the indices do not fit the operand and batch_dims}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<1x3xi64>')}}
  %r2 = torch.operator "onnx.GatherND"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1,3],si64>) -> !torch.vtensor<[1],f32>
  return %r2 : !torch.vtensor<[1],f32>
}

// -----

func.func @batch(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1x1xsi64>} : () -> !torch.vtensor<[1,1],si64>
  // expected-error @+2 {{node '' (GatherND, opset 13): the indices do not fit the operand and batch_dims}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<1x1xi64>')}}
  %r2 = torch.operator "onnx.GatherND"(%arg0, %c1) {torch.onnx.batch_dims = 2 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1,1],si64>) -> !torch.vtensor<[1],f32>
  return %r2 : !torch.vtensor<[1],f32>
}

// -----

func.func @float(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<1x2xf32>} : () -> !torch.vtensor<[1,2],f32>
  // expected-error @+2 {{node '' (GatherND, opset 13): indices must be integers}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<1x2xf32>')}}
  %r2 = torch.operator "onnx.GatherND"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1,2],f32>) -> !torch.vtensor<[1],f32>
  return %r2 : !torch.vtensor<[1],f32>
}

// -----

// batch_dims exists since opset 12.
func.func @old_batch(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<2x1xsi64>} : () -> !torch.vtensor<[2,1],si64>
  // expected-error @+2 {{node '' (GatherND, opset 11): output 0 is computed as tensor<2x3xf32>, but the model declares !torch.vtensor<[2],f32>}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x1xi64>')}}
  %r2 = torch.operator "onnx.GatherND"(%arg0, %c1) {torch.onnx.batch_dims = 1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,1],si64>) -> !torch.vtensor<[2],f32>
  return %r2 : !torch.vtensor<[2],f32>
}

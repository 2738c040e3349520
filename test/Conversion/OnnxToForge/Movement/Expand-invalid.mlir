// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @no_broadcast(%arg0: !torch.vtensor<[3],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Expand, opset 13): the operand does not broadcast to the shape}}
  // expected-note @+1 {{operands: ('tensor<3xf32>', 'tensor<1xi64>')}}
  %r2 = torch.operator "onnx.Expand"(%arg0, %c1) : (!torch.vtensor<[3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[4],f32>
  return %r2 : !torch.vtensor<[4],f32>
}

// -----

func.func @negative(%arg0: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Expand, opset 13): shape has a negative size}}
  // expected-note @+1 {{operands: ('tensor<3xf32>', 'tensor<1xi64>')}}
  %r2 = torch.operator "onnx.Expand"(%arg0, %c1) : (!torch.vtensor<[3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[3],f32>
  return %r2 : !torch.vtensor<[3],f32>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[1],si64>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+3 {{node '' (Expand, opset 13): shape (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<3xf32>', 'tensor<1xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %r1 = torch.operator "onnx.Expand"(%arg0, %arg1) : (!torch.vtensor<[3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[3],f32>
  return %r1 : !torch.vtensor<[3],f32>
}

// -----

func.func @huge(%arg0: !torch.vtensor<[1],f32>) -> !torch.vtensor<[4294967296,4294967296],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[4294967296, 4294967296]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Expand, opset 13): a result has 2^63 elements or more}}
  // expected-note @+1 {{operands: ('tensor<1xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Expand"(%arg0, %c1) : (!torch.vtensor<[1],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[4294967296,4294967296],f32>
  return %r2 : !torch.vtensor<[4294967296,4294967296],f32>
}

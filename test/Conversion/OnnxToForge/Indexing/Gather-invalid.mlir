// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @outside(%arg0: !torch.vtensor<[5,4],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<5> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (Gather, opset 13): index 5 is outside an axis of size 5}}
  // expected-note @+1 {{operands: ('tensor<5x4xf32>', 'tensor<i64>')}}
  %r2 = torch.operator "onnx.Gather"(%arg0, %c1) : (!torch.vtensor<[5,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
  return %r2 : !torch.vtensor<[4],f32>
}

// -----

func.func @below(%arg0: !torch.vtensor<[5,4],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-6> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (Gather, opset 13): index -6 is outside an axis of size 5}}
  // expected-note @+1 {{operands: ('tensor<5x4xf32>', 'tensor<i64>')}}
  %r2 = torch.operator "onnx.Gather"(%arg0, %c1) : (!torch.vtensor<[5,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
  return %r2 : !torch.vtensor<[4],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[5,4],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (Gather, opset 13): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<5x4xf32>', 'tensor<i64>')}}
  %r2 = torch.operator "onnx.Gather"(%arg0, %c1) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[5,4],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
  return %r2 : !torch.vtensor<[4],f32>
}

// -----

func.func @rank_0(%arg0: !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (Gather, opset 13): axis 0 is outside rank 0}}
  // expected-note @+1 {{operands: ('tensor<f32>', 'tensor<i64>')}}
  %r2 = torch.operator "onnx.Gather"(%arg0, %c1) : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[],f32>
  return %r2 : !torch.vtensor<[],f32>
}

// -----

func.func @float_index(%arg0: !torch.vtensor<[5,4],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  // expected-error @+2 {{node '' (Gather, opset 13): indices must be integers}}
  // expected-note @+1 {{operands: ('tensor<5x4xf32>', 'tensor<f32>')}}
  %r2 = torch.operator "onnx.Gather"(%arg0, %c1) : (!torch.vtensor<[5,4],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[4],f32>
  return %r2 : !torch.vtensor<[4],f32>
}

// -----

func.func @unknown_float_index(%arg0: !torch.vtensor<[5,4],f32>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Gather, opset 13): indices must be integers}}
  // expected-note @+1 {{operands: ('tensor<5x4xf32>', 'tensor<2xf32>')}}
  %r1 = torch.operator "onnx.Gather"(%arg0, %arg1) : (!torch.vtensor<[5,4],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

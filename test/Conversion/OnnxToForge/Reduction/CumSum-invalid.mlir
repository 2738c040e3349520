// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[],si64>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+3 {{node '' (CumSum, opset 14): axis (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<3xf32>', 'tensor<i64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.CumSum"(%arg0, %arg1) : (!torch.vtensor<[3],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (CumSum, opset 14): axis 1 is outside rank 1}}
  // expected-note @+1 {{operands: ('tensor<3xf32>', 'tensor<i64>')}}
  %r = torch.operator "onnx.CumSum"(%arg0, %c0) : (!torch.vtensor<[3],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

// -----

func.func @two_axes(%arg0: !torch.vtensor<[3,3],f32>) -> !torch.vtensor<[3,3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (CumSum, opset 14): axis (input 1) must have one element, but has 2}}
  // expected-note @+1 {{operands: ('tensor<3x3xf32>', 'tensor<2xi64>')}}
  %r = torch.operator "onnx.CumSum"(%arg0, %c0) : (!torch.vtensor<[3,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,3],f32>
  return %r : !torch.vtensor<[3,3],f32>
}

// -----

func.func @unsigned(%arg0: !torch.vtensor<[3],ui32>) -> !torch.vtensor<[3],ui32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (CumSum, opset 14): a result of an unsigned type may not fit Int32 on the device; cast to int32 first}}
  // expected-note @+1 {{operands: ('tensor<3xui32>', 'tensor<i64>')}}
  %r = torch.operator "onnx.CumSum"(%arg0, %c0) : (!torch.vtensor<[3],ui32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],ui32>
  return %r : !torch.vtensor<[3],ui32>
}

// -----

func.func @flag(%arg0: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (CumSum, opset 14): attribute 'reverse' must be 0 or 1, but is 2}}
  // expected-note @+1 {{operands: ('tensor<3xf32>', 'tensor<i64>')}}
  %r = torch.operator "onnx.CumSum"(%arg0, %c0) {torch.onnx.reverse = 2 : si64} : (!torch.vtensor<[3],f32>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
}

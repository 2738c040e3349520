// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @axis(%arg0: !torch.vtensor<[3],si64>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (OneHot, opset 11): axis 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<3xi64>', 'tensor<i64>', 'tensor<2xf32>')}}
  %r = torch.operator "onnx.OneHot"(%arg0, %c0, %arg1) {torch.onnx.axis = 2 : si64} : (!torch.vtensor<[3],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,4],f32>
  return %r : !torch.vtensor<[3,4],f32>
}

// -----

func.func @depth(%arg0: !torch.vtensor<[3],si64>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,0],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (OneHot, opset 11): depth must be positive and at most 2^24}}
  // expected-note @+1 {{operands: ('tensor<3xi64>', 'tensor<i64>', 'tensor<2xf32>')}}
  %r = torch.operator "onnx.OneHot"(%arg0, %c0, %arg1) : (!torch.vtensor<[3],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,0],f32>
  return %r : !torch.vtensor<[3,0],f32>
}

// -----

func.func @unknown_depth(%arg0: !torch.vtensor<[3],si64>, %arg1: !torch.vtensor<[],si64>, %arg2: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+3 {{node '' (OneHot, opset 11): depth (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<3xi64>', 'tensor<i64>', 'tensor<2xf32>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.OneHot"(%arg0, %arg1, %arg2) : (!torch.vtensor<[3],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,4],f32>
  return %r : !torch.vtensor<[3,4],f32>
}

// -----

func.func @values(%arg0: !torch.vtensor<[3],si64>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (OneHot, opset 11): values must have two elements}}
  // expected-note @+1 {{operands: ('tensor<3xi64>', 'tensor<i64>', 'tensor<3xf32>')}}
  %r = torch.operator "onnx.OneHot"(%arg0, %c0, %arg1) : (!torch.vtensor<[3],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3,4],f32>
  return %r : !torch.vtensor<[3,4],f32>
}

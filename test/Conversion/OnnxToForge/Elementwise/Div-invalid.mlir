// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @shapes(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+2 {{node '' (Div, opset 14): 'forge.divide' op (C2) shapes [2, 3] and [2] do not broadcast}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xf32>')}}
  %r1 = torch.operator "onnx.Div"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @types(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f16>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+2 {{node '' (Div, opset 14): 'forge.divide' op (C1) expected operands of element type 'f32', but got 'tensor<3xf16>'}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3xf16>')}}
  %r1 = torch.operator "onnx.Div"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f16>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

// In opset 6, operands are broadcast only if the attribute 'broadcast' is 1.
func.func @no_broadcast(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  // expected-error @+2 {{node '' (Div, opset 6): shapes differ although attribute 'broadcast' is 0}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.Div"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @axis_outside(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  // expected-error @+3 {{node '' (Div, opset 6): axis 2 is outside rank 2}}
  // expected-note @+2 {{operands: ('tensor<2x3xf32>', 'tensor<3xf32>')}}
  // expected-error @+1 {{node '' (Div, opset 6): attribute 'axis' leaves no room for the second operand}}
  %r1 = torch.operator "onnx.Div"(%arg0, %arg1) {torch.onnx.axis = 2 : si64, torch.onnx.broadcast = 1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @no_room(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  // expected-error @+2 {{node '' (Div, opset 6): attribute 'axis' leaves no room for the second operand}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Div"(%arg0, %arg1) {torch.onnx.axis = 1 : si64, torch.onnx.broadcast = 1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

// A flag is 0 or 1.
func.func @flag(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  // expected-error @+2 {{node '' (Div, opset 6): attribute 'broadcast' must be 0 or 1, but is 2}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Div"(%arg0, %arg1) {torch.onnx.broadcast = 2 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @missing(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  // expected-error @+2 {{node '' (Div, opset 14): input 1 is missing}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Div"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @absent(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %none = torch.constant.none
  // expected-error @+2 {{node '' (Div, opset 14): input 1 is missing}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', '!torch.none')}}
  %r1 = torch.operator "onnx.Div"(%arg0, %none) : (!torch.vtensor<[2,3],f32>, !torch.none) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @by_zero() -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 14 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[7, 1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // expected-error @+2 {{node '' (Div, opset 14): a division by the constant 0 has no result}}
  // expected-note @+1 {{operands: ('tensor<2xi64>', 'tensor<i64>')}}
  %r3 = torch.operator "onnx.Div"(%c1, %c2) : (!torch.vtensor<[2],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2],si64>
  return %r3 : !torch.vtensor<[2],si64>
}

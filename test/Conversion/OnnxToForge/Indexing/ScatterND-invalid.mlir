// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @tuple(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[2,2],si64>, %arg2: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ScatterND, opset 13): the indices do not fit the operand and batch_dims}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<2x2xi64>', 'tensor<2xf32>')}}
  %r = torch.operator "onnx.ScatterND"(%arg0, %arg1, %arg2) : (!torch.vtensor<[4],f32>, !torch.vtensor<[2,2],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @updates(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[2,1],si64>, %arg2: !torch.vtensor<[3],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ScatterND, opset 13): the updates do not fit the operand and the indices}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<2x1xi64>', 'tensor<3xf32>')}}
  %r = torch.operator "onnx.ScatterND"(%arg0, %arg1, %arg2) : (!torch.vtensor<[4],f32>, !torch.vtensor<[2,1],si64>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @reduction(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[2,1],si64>, %arg2: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (ScatterND, opset 13): attribute 'reduction' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<2x1xi64>', 'tensor<2xf32>')}}
  %r = torch.operator "onnx.ScatterND"(%arg0, %arg1, %arg2) {torch.onnx.reduction = "add"} : (!torch.vtensor<[4],f32>, !torch.vtensor<[2,1],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @reduction_value(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[2,1],si64>, %arg2: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (ScatterND, opset 16): attribute 'reduction' must be none, add, mul, max or min, but is 'mean'}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<2x1xi64>', 'tensor<2xf32>')}}
  %r = torch.operator "onnx.ScatterND"(%arg0, %arg1, %arg2) {torch.onnx.reduction = "mean"} : (!torch.vtensor<[4],f32>, !torch.vtensor<[2,1],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @wraps(%arg0: !torch.vtensor<[4],si8>, %arg1: !torch.vtensor<[2,1],si64>, %arg2: !torch.vtensor<[2],si8>) -> !torch.vtensor<[4],si8> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  // expected-error @+2 {{node '' (ScatterND, opset 16): reduction 'add' on integers of this type wraps, which Int32 on the device does not}}
  // expected-note @+1 {{operands: ('tensor<4xi8>', 'tensor<2x1xi64>', 'tensor<2xi8>')}}
  %r = torch.operator "onnx.ScatterND"(%arg0, %arg1, %arg2) {torch.onnx.reduction = "add"} : (!torch.vtensor<[4],si8>, !torch.vtensor<[2,1],si64>, !torch.vtensor<[2],si8>) -> !torch.vtensor<[4],si8>
  return %r : !torch.vtensor<[4],si8>
}

// -----

func.func @outside(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[1],f32>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[-5]]> : tensor<1x1xsi64>} : () -> !torch.vtensor<[1,1],si64>
  // expected-error @+2 {{node '' (ScatterND, opset 13): index -5 is outside an axis of size 4}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<1x1xi64>', 'tensor<1xf32>')}}
  %r = torch.operator "onnx.ScatterND"(%arg0, %c0, %arg1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[1,1],si64>, !torch.vtensor<[1],f32>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

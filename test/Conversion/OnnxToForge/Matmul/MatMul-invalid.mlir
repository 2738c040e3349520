// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// Products of integer matrices become elementwise multiplications, up to a limit on their number.
func.func @large(%arg0: !torch.vtensor<[500,500],si32>, %arg1: !torch.vtensor<[500,500],si32>) -> !torch.vtensor<[500,500],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{[FM1406] node '' (MatMul, opset 13): the device has no product of integer matrices, and 125000000 single products are too many to hold}}
  // expected-note @+1 {{operands: ('tensor<500x500xi32>', 'tensor<500x500xi32>')}}
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[500,500],si32>, !torch.vtensor<[500,500],si32>) -> !torch.vtensor<[500,500],si32>
  return %r1 : !torch.vtensor<[500,500],si32>
}

// -----

func.func @unsigned(%arg0: !torch.vtensor<[2,2],ui32>, %arg1: !torch.vtensor<[2,2],ui32>) -> !torch.vtensor<[2,2],ui32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (MatMul, opset 13): a product of integers of this type may not fit Int32 on the device; cast to int32 first}}
  // expected-note @+1 {{operands: ('tensor<2x2xui32>', 'tensor<2x2xui32>')}}
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[2,2],ui32>, !torch.vtensor<[2,2],ui32>) -> !torch.vtensor<[2,2],ui32>
  return %r1 : !torch.vtensor<[2,2],ui32>
}

// -----

func.func @integer_sizes(%arg0: !torch.vtensor<[2,3],si32>, %arg1: !torch.vtensor<[2,2],si32>) -> !torch.vtensor<[2,2],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (MatMul, opset 13): the operands do not fit a matrix product}}
  // expected-note @+1 {{operands: ('tensor<2x3xi32>', 'tensor<2x2xi32>')}}
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[2,2],si32>) -> !torch.vtensor<[2,2],si32>
  return %r1 : !torch.vtensor<[2,2],si32>
}

// -----

func.func @sizes(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[2,5],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (MatMul, opset 13): 'forge.matmul' op (C3) expected equal contracted sizes, but got 'tensor<2x3xf32>' and 'tensor<4x5xf32>'}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<4x5xf32>')}}
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[2,5],f32>
  return %r1 : !torch.vtensor<[2,5],f32>
}

// -----

func.func @vector_sizes(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (MatMul, opset 13): 'forge.matmul' op (C3) expected equal contracted sizes, but got 'tensor<1x3xf32>' and 'tensor<4x1xf32>'}}
  // expected-note @+1 {{operands: ('tensor<3xf32>', 'tensor<4xf32>')}}
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[3],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[],f32>
  return %r1 : !torch.vtensor<[],f32>
}

// -----

func.func @batch(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[3,4,5],f32>) -> !torch.vtensor<[2,3,5],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (MatMul, opset 13): 'forge.matmul' op (C4) shapes [2] and [3] do not broadcast}}
  // expected-note @+1 {{operands: ('tensor<2x3x4xf32>', 'tensor<3x4x5xf32>')}}
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[3,4,5],f32>) -> !torch.vtensor<[2,3,5],f32>
  return %r1 : !torch.vtensor<[2,3,5],f32>
}

// -----

func.func @rank_0(%arg0: !torch.vtensor<[],f32>, %arg1: !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[5],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (MatMul, opset 13): 'forge.matmul' op (C2) expected operands of rank 1 or more, but got 'tensor<f32>' and 'tensor<4x5xf32>'}}
  // expected-note @+1 {{operands: ('tensor<f32>', 'tensor<4x5xf32>')}}
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[],f32>, !torch.vtensor<[4,5],f32>) -> !torch.vtensor<[5],f32>
  return %r1 : !torch.vtensor<[5],f32>
}

// -----

func.func @types(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,5],f16>) -> !torch.vtensor<[2,5],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (MatMul, opset 13): 'forge.matmul' op (C1) expected operands of element type 'f32', but got 'tensor<3x5xf16>'}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3x5xf16>')}}
  %r1 = torch.operator "onnx.MatMul"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,5],f16>) -> !torch.vtensor<[2,5],f32>
  return %r1 : !torch.vtensor<[2,5],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @c_missing(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+2 {{node '' (Gemm, opset 9): input 2 is missing}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3x4xf32>')}}
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

// In opset 6, C is broadcast only if the attribute 'broadcast' is 1.
func.func @no_broadcast(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  // expected-error @+2 {{node '' (Gemm, opset 6): C must have the shape of the product when attribute 'broadcast' is 0}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3x4xf32>', 'tensor<4xf32>')}}
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1, %arg2) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @c_shape(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Gemm, opset 13): 'forge.add' op (C2) shapes [2, 4] and [3] do not broadcast}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3x4xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1, %arg2) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @c_larger(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[5,2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Gemm, opset 13): C does not broadcast to the shape of the product}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3x4xf32>', 'tensor<5x2x4xf32>')}}
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1, %arg2) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[5,2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @rank(%arg0: !torch.vtensor<[2,3,1],f32>, %arg1: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Gemm, opset 13): A and B must have rank 2}}
  // expected-note @+1 {{operands: ('tensor<2x3x1xf32>', 'tensor<3x4xf32>')}}
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1) : (!torch.vtensor<[2,3,1],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[2,3],si32>, %arg1: !torch.vtensor<[3,4],si32>) -> !torch.vtensor<[2,4],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Gemm, opset 13): integers times a fraction round, which ONNX leaves open}}
  // expected-note @+1 {{operands: ('tensor<2x3xi32>', 'tensor<3x4xi32>')}}
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1) {torch.onnx.alpha = 0.5 : f32} : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3,4],si32>) -> !torch.vtensor<[2,4],si32>
  return %r1 : !torch.vtensor<[2,4],si32>
}

// -----

func.func @sizes(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Gemm, opset 13): 'forge.matmul' op (C3) expected equal contracted sizes, but got 'tensor<2x3xf32>' and 'tensor<2x4xf32>'}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2x4xf32>')}}
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @old_flag(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3,4],f32>, %arg2: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Gemm, opset 13): attribute 'broadcast' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3x4xf32>', 'tensor<4xf32>')}}
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1, %arg2) {torch.onnx.broadcast = 1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3,4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @large_alpha(%arg0: !torch.vtensor<[2,3],si32>, %arg1: !torch.vtensor<[3,4],si32>) -> !torch.vtensor<[2,4],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Gemm, opset 13): the constant 3.0E+9 does not fit i32}}
  // expected-note @+1 {{operands: ('tensor<2x3xi32>', 'tensor<3x4xi32>')}}
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg1) {torch.onnx.alpha = 3.0e9 : f32} : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3,4],si32>) -> !torch.vtensor<[2,4],si32>
  return %r1 : !torch.vtensor<[2,4],si32>
}

// -----

func.func @infinite_beta(%arg0: !torch.vtensor<[2,2],si64>) -> !torch.vtensor<[2,2],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Gemm, opset 13): the constant +Inf does not fit i64}}
  // expected-note @+1 {{operands: ('tensor<2x2xi64>', 'tensor<2x2xi64>', 'tensor<2x2xi64>')}}
  %r1 = torch.operator "onnx.Gemm"(%arg0, %arg0, %arg0) {torch.onnx.beta = 0x7F800000 : f32} : (!torch.vtensor<[2,2],si64>, !torch.vtensor<[2,2],si64>, !torch.vtensor<[2,2],si64>) -> !torch.vtensor<[2,2],si64>
  return %r1 : !torch.vtensor<[2,2],si64>
}

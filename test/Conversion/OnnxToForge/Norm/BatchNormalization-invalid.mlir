// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @old_training(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>, %arg2: !torch.vtensor<[3],f32>, %arg3: !torch.vtensor<[3],f32>, %arg4: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  // expected-error @+2 {{node '' (BatchNormalization, opset 6): training mode (is_test = 0) is not supported}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3xf32>', 'tensor<3xf32>', 'tensor<3xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.BatchNormalization"(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @spatial(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>, %arg2: !torch.vtensor<[3],f32>, %arg3: !torch.vtensor<[3],f32>, %arg4: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 7 : si64} {
  // expected-error @+2 {{node '' (BatchNormalization, opset 7): statistics per element (spatial = 0) are not supported}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3xf32>', 'tensor<3xf32>', 'tensor<3xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.BatchNormalization"(%arg0, %arg1, %arg2, %arg3, %arg4) {torch.onnx.spatial = 0 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @shape(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[3],f32>, %arg2: !torch.vtensor<[3],f32>, %arg3: !torch.vtensor<[3],f32>, %arg4: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  // expected-error @+2 {{node '' (BatchNormalization, opset 15): 'forge.batchnorm' op (C2) expected shape [4], but got 'tensor<3xf32>'}}
  // expected-note @+1 {{operands: ('tensor<2x4xf32>', 'tensor<3xf32>', 'tensor<3xf32>', 'tensor<3xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.BatchNormalization"(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// -----

func.func @rank(%arg0: !torch.vtensor<[3],f32>, %arg1: !torch.vtensor<[3],f32>, %arg2: !torch.vtensor<[3],f32>, %arg3: !torch.vtensor<[3],f32>, %arg4: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  // expected-error @+2 {{node '' (BatchNormalization, opset 15): 'forge.batchnorm' op (C1) expected rank 2 or more, but got 'tensor<3xf32>'}}
  // expected-note @+1 {{operands: ('tensor<3xf32>', 'tensor<3xf32>', 'tensor<3xf32>', 'tensor<3xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.BatchNormalization"(%arg0, %arg1, %arg2, %arg3, %arg4) : (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
  return %r1 : !torch.vtensor<[3],f32>
}

// -----

func.func @missing(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>, %arg2: !torch.vtensor<[3],f32>, %arg3: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  // expected-error @+2 {{node '' (BatchNormalization, opset 15): input 4 is missing}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<3xf32>', 'tensor<3xf32>', 'tensor<3xf32>')}}
  %r1 = torch.operator "onnx.BatchNormalization"(%arg0, %arg1, %arg2, %arg3) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

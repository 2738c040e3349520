// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @alpha(%arg0: !torch.vtensor<[],f32>, %arg1: !torch.vtensor<[],si64>, %arg2: !torch.vtensor<[2],f32>, %arg3: !torch.vtensor<[2],f32>, %arg4: !torch.vtensor<[2],f32>, %arg5: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.preview.training.Adam, opset 1): attributes 'alpha' and 'beta' must be between 0 and 1}}
  // expected-note @+1 {{operands: ('tensor<f32>', 'tensor<i64>', 'tensor<2xf32>', 'tensor<2xf32>', 'tensor<2xf32>', 'tensor<2xf32>')}}
  %r:3 = torch.operator "onnx.Adam"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) {torch.onnx_meta.domain = "ai.onnx.preview.training", torch.onnx.alpha = 1.0 : f32} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %r#0, %r#1, %r#2 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// -----

func.func @count(%arg0: !torch.vtensor<[],f32>, %arg1: !torch.vtensor<[],si64>, %arg2: !torch.vtensor<[2],f32>, %arg3: !torch.vtensor<[2],f32>, %arg4: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.preview.training.Adam, opset 1): expected a rate, a count, and lists of as many tensors each}}
  // expected-note @+1 {{operands: ('tensor<f32>', 'tensor<i64>', 'tensor<2xf32>', 'tensor<2xf32>', 'tensor<2xf32>')}}
  %r:3 = torch.operator "onnx.Adam"(%arg0, %arg1, %arg2, %arg3, %arg4) {torch.onnx_meta.domain = "ai.onnx.preview.training"} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %r#0, %r#1, %r#2 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

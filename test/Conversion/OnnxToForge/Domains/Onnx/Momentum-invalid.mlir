// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @mode(%arg0: !torch.vtensor<[],f32>, %arg1: !torch.vtensor<[],si64>, %arg2: !torch.vtensor<[2],f32>, %arg3: !torch.vtensor<[2],f32>, %arg4: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.preview.training.Momentum, opset 1): attribute 'mode' must be standard or nesterov, but is 'heavy'}}
  // expected-note @+1 {{operands: ('tensor<f32>', 'tensor<i64>', 'tensor<2xf32>', 'tensor<2xf32>', 'tensor<2xf32>')}}
  %r:2 = torch.operator "onnx.Momentum"(%arg0, %arg1, %arg2, %arg3, %arg4) {torch.onnx_meta.domain = "ai.onnx.preview.training", torch.onnx.alpha = 0.9 : f32, torch.onnx.beta = 1.0 : f32, torch.onnx.norm_coefficient = 0.0 : f32, torch.onnx.mode = "heavy"} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %r#0, %r#1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

// -----

func.func @missing(%arg0: !torch.vtensor<[],f32>, %arg1: !torch.vtensor<[],si64>, %arg2: !torch.vtensor<[2],f32>, %arg3: !torch.vtensor<[2],f32>, %arg4: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.preview.training.Momentum, opset 1): attribute 'alpha' is missing}}
  // expected-note @+1 {{operands: ('tensor<f32>', 'tensor<i64>', 'tensor<2xf32>', 'tensor<2xf32>', 'tensor<2xf32>')}}
  %r:2 = torch.operator "onnx.Momentum"(%arg0, %arg1, %arg2, %arg3, %arg4) {torch.onnx_meta.domain = "ai.onnx.preview.training", torch.onnx.beta = 1.0 : f32, torch.onnx.norm_coefficient = 0.0 : f32, torch.onnx.mode = "standard"} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %r#0, %r#1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

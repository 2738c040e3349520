// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @count(%arg0: !torch.vtensor<[],f32>, %arg1: !torch.vtensor<[],si64>, %arg2: !torch.vtensor<[2],f32>, %arg3: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) attributes {torch.onnx_meta.opset_version = 22 : si64, torch.onnx_meta.opset_versions = {ai.onnx.preview.training = 1 : si64}} {
  // expected-error @+2 {{node '' (ai.onnx.preview.training.Adagrad, opset 1): expected a rate, a count, and lists of as many tensors each}}
  // expected-note @+1 {{operands: ('tensor<f32>', 'tensor<i64>', 'tensor<2xf32>', 'tensor<2xf32>')}}
  %r:2 = torch.operator "onnx.Adagrad"(%arg0, %arg1, %arg2, %arg3) {torch.onnx_meta.domain = "ai.onnx.preview.training"} : (!torch.vtensor<[],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
  return %r#0, %r#1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
}

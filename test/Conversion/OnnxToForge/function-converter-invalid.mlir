// RUN: forge-opt %s -convert-onnx-to-forge -verify-diagnostics -split-input-file

func.func @model_opset(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{(ReduceSum, opset 13): output 0 is computed as tensor<1x1xf32>}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %y = torch.operator "onnx.ReduceSum"(%x) {torch.onnx.axes = [1 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32>
  return %y : !torch.vtensor<[2,1],f32>
}

// -----

func.func @too_new(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{opset 99 is newer than the newest one known here}}
  // expected-note @+1 {{operands}}
  %y = torch.operator "onnx.Relu"(%x) {torch.onnx_meta.opset = 99 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %y : !torch.vtensor<[2,3],f32>
}

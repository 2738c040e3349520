// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @missing() -> !torch.vtensor<[1],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %none = torch.constant.none
  // expected-error @+2 {{node '' (Shape, opset 13): input 0 is missing}}
  // expected-note @+1 {{operands: ('!torch.none')}}
  %r1 = torch.operator "onnx.Shape"(%none) : (!torch.none) -> !torch.vtensor<[1],si64>
  return %r1 : !torch.vtensor<[1],si64>
}

// -----

func.func @lie(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Shape, opset 13): output 0 is computed as tensor<2xi64>, but the model declares !torch.vtensor<[3],si64>}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Shape"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3],si64>
  return %r1 : !torch.vtensor<[3],si64>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @missing(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Unsqueeze, opset 13): axes are missing}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>')}}
  %r1 = torch.operator "onnx.Unsqueeze"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// -----

func.func @twice(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[1,1,2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, -4]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Unsqueeze, opset 13): axes name axis 0 twice}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<2xi64>')}}
  %r2 = torch.operator "onnx.Unsqueeze"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1,1,2,3],f32>
  return %r2 : !torch.vtensor<[1,1,2,3],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Unsqueeze, opset 13): axes 3 is outside rank 3}}
  // expected-note @+1 {{operands: ('tensor<2x3xf32>', 'tensor<1xi64>')}}
  %r2 = torch.operator "onnx.Unsqueeze"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,3,1],f32>
  return %r2 : !torch.vtensor<[2,3,1],f32>
}

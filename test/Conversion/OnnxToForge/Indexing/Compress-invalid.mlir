// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[4],i1>) -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  // expected-error @+3 {{node '' (Compress, opset 11): condition (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<4xf32>', 'tensor<4xi1>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.Compress"(%arg0, %arg1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[4],i1>) -> !torch.vtensor<[4],f32>
  return %r : !torch.vtensor<[4],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[true, false]> : tensor<2xi1>} : () -> !torch.vtensor<[2],i1>
  // expected-error @+2 {{node '' (Compress, opset 11): axis 1 is outside rank 1}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<2xi1>')}}
  %r = torch.operator "onnx.Compress"(%arg0, %c0) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[4],f32>, !torch.vtensor<[2],i1>) -> !torch.vtensor<[1],f32>
  return %r : !torch.vtensor<[1],f32>
}

// -----

func.func @long(%arg0: !torch.vtensor<[1],f32>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[true, true]> : tensor<2xi1>} : () -> !torch.vtensor<[2],i1>
  // expected-error @+2 {{node '' (Compress, opset 11): index 1 is outside an axis of size 1}}
  // expected-note @+1 {{operands: ('tensor<1xf32>', 'tensor<2xi1>')}}
  %r = torch.operator "onnx.Compress"(%arg0, %c0) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[1],f32>, !torch.vtensor<[2],i1>) -> !torch.vtensor<[2],f32>
  return %r : !torch.vtensor<[2],f32>
}

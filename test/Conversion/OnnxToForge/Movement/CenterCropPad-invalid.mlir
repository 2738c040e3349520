// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !torch.vtensor<[4,4],f32>, %arg1: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,2],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+3 {{node '' (CenterCropPad, opset 18): shape (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<4x4xf32>', 'tensor<2xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.CenterCropPad"(%arg0, %arg1) : (!torch.vtensor<[4,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

// -----

func.func @count(%arg0: !torch.vtensor<[4,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (CenterCropPad, opset 18): shape must have one size per axis, none negative}}
  // expected-note @+1 {{operands: ('tensor<4x4xf32>', 'tensor<1xi64>')}}
  %r = torch.operator "onnx.CenterCropPad"(%arg0, %c0) : (!torch.vtensor<[4,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @negative(%arg0: !torch.vtensor<[4,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (CenterCropPad, opset 18): shape must have one size per axis, none negative}}
  // expected-note @+1 {{operands: ('tensor<4x4xf32>', 'tensor<2xi64>')}}
  %r = torch.operator "onnx.CenterCropPad"(%arg0, %c0) : (!torch.vtensor<[4,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[4,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (CenterCropPad, opset 18): axes 2 is outside rank 2}}
  // expected-note @+1 {{operands: ('tensor<4x4xf32>', 'tensor<1xi64>')}}
  %r = torch.operator "onnx.CenterCropPad"(%arg0, %c0) {torch.onnx.axes = [2 : si64]} : (!torch.vtensor<[4,4],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @mode(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  // expected-error @+2 {{node '' (Upsample, opset 9): attribute 'mode' must be nearest or linear, but is 'cubic'}}
  // expected-note @+1 {{operands: ('tensor<1x1x2x2xf32>', 'tensor<4xf32>')}}
  %r = torch.operator "onnx.Upsample"(%arg0, %c0) {torch.onnx.mode = "cubic"} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// -----

func.func @smaller(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,1,4],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 0.5, 2.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  // expected-error @+2 {{node '' (Upsample, opset 9): scales must be at least 1}}
  // expected-note @+1 {{operands: ('tensor<1x1x2x2xf32>', 'tensor<4xf32>')}}
  %r = torch.operator "onnx.Upsample"(%arg0, %c0) : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,1,4],f32>
  return %r : !torch.vtensor<[1,1,1,4],f32>
}

// -----

func.func @count(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 2.0]> : tensor<2xf32>} : () -> !torch.vtensor<[2],f32>
  // expected-error @+2 {{node '' (Upsample, opset 9): there are 2 scales for 4 axes}}
  // expected-note @+1 {{operands: ('tensor<1x1x2x2xf32>', 'tensor<2xf32>')}}
  %r = torch.operator "onnx.Upsample"(%arg0, %c0) : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<[1,1,2,2],f32>, %arg1: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  // expected-error @+3 {{node '' (Upsample, opset 9): scales (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<1x1x2x2xf32>', 'tensor<4xf32>')}}
  // expected-note @+1 {{bind input '' to a value with --bind =FILE.npy}}
  %r = torch.operator "onnx.Upsample"(%arg0, %arg1) : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// -----

func.func @missing(%arg0: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  // expected-error @+2 {{node '' (Upsample, opset 1): attribute 'width_scale' is missing}}
  // expected-note @+1 {{operands: ('tensor<1x1x2x2xf32>')}}
  %r = torch.operator "onnx.Upsample"(%arg0) {torch.onnx.height_scale = 2.0 : f32} : (!torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// -----

func.func @integers(%arg0: !torch.vtensor<[1,1,2,2],si32>) -> !torch.vtensor<[1,1,4,4],si32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  // expected-error @+2 {{node '' (Upsample, opset 9): interpolation of integers rounds in no defined way}}
  // expected-note @+1 {{operands: ('tensor<1x1x2x2xi32>', 'tensor<4xf32>')}}
  %r = torch.operator "onnx.Upsample"(%arg0, %c0) {torch.onnx.mode = "linear"} : (!torch.vtensor<[1,1,2,2],si32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,4,4],si32>
  return %r : !torch.vtensor<[1,1,4,4],si32>
}

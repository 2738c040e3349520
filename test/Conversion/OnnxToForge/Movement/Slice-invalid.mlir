// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @unknown(%arg0: !torch.vtensor<[4],f32>, %arg1: !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+3 {{node '' (Slice, opset 13): starts (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<4xf32>', 'tensor<1xi64>', 'tensor<1xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %r2 = torch.operator "onnx.Slice"(%arg0, %arg1, %c1) : (!torch.vtensor<[4],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32>
  return %r2 : !torch.vtensor<[1],f32>
}

// -----

func.func @step(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c4 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Slice, opset 13): 'forge.strided_slice' op (C3) expected strides that are not zero, but got 0 on axis 0}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<1xi64>', 'tensor<1xi64>', 'tensor<1xi64>', 'tensor<1xi64>')}}
  %r5 = torch.operator "onnx.Slice"(%arg0, %c1, %c2, %c3, %c4) : (!torch.vtensor<[4],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32>
  return %r5 : !torch.vtensor<[1],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Slice, opset 13): axes 1 is outside rank 1}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<1xi64>', 'tensor<1xi64>', 'tensor<1xi64>')}}
  %r4 = torch.operator "onnx.Slice"(%arg0, %c1, %c2, %c3) : (!torch.vtensor<[4],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32>
  return %r4 : !torch.vtensor<[1],f32>
}

// -----

func.func @twice(%arg0: !torch.vtensor<[4,4],f32>) -> !torch.vtensor<[4,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Slice, opset 13): axes name axis 1 twice}}
  // expected-note @+1 {{operands: ('tensor<4x4xf32>', 'tensor<2xi64>', 'tensor<2xi64>', 'tensor<2xi64>')}}
  %r4 = torch.operator "onnx.Slice"(%arg0, %c1, %c2, %c3) : (!torch.vtensor<[4,4],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[4,1],f32>
  return %r4 : !torch.vtensor<[4,1],f32>
}

// -----

func.func @counts(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Slice, opset 13): 'forge.strided_slice' op (C1) expected 1 values in 'begin', 'end' and 'strides', but got 1, 2 and 1}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<1xi64>', 'tensor<2xi64>')}}
  %r3 = torch.operator "onnx.Slice"(%arg0, %c1, %c2) : (!torch.vtensor<[4],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[1],f32>
  return %r3 : !torch.vtensor<[1],f32>
}

// -----

func.func @floats(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<1xf32>} : () -> !torch.vtensor<[1],f32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Slice, opset 13): starts (input 1) must be integers of rank 0 or 1}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<1xf32>', 'tensor<1xi64>')}}
  %r3 = torch.operator "onnx.Slice"(%arg0, %c1, %c2) : (!torch.vtensor<[4],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32>
  return %r3 : !torch.vtensor<[1],f32>
}

// -----

func.func @matrix(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1x1xsi64>} : () -> !torch.vtensor<[1,1],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Slice, opset 13): starts (input 1) must be integers of rank 0 or 1}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<1x1xi64>', 'tensor<1xi64>')}}
  %r3 = torch.operator "onnx.Slice"(%arg0, %c1, %c2) : (!torch.vtensor<[4],f32>, !torch.vtensor<[1,1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32>
  return %r3 : !torch.vtensor<[1],f32>
}

// -----

// In version 1, starts and ends are required attributes.
func.func @missing(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  // expected-error @+2 {{node '' (Slice, opset 1): attribute 'ends' is missing}}
  // expected-note @+1 {{operands: ('tensor<4xf32>')}}
  %r1 = torch.operator "onnx.Slice"(%arg0) {torch.onnx.starts = [0 : si64]} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[1],f32>
  return %r1 : !torch.vtensor<[1],f32>
}

// -----

func.func @old_attributes(%arg0: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1],f32> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  // expected-error @+2 {{node '' (Slice, opset 10): attribute 'axes' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<4xf32>', 'tensor<1xi64>', 'tensor<1xi64>')}}
  %r3 = torch.operator "onnx.Slice"(%arg0, %c1, %c2) {torch.onnx.axes = [0 : si64]} : (!torch.vtensor<[4],f32>, !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],f32>
  return %r3 : !torch.vtensor<[1],f32>
}

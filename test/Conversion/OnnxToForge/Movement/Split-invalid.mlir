// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

// Before opset 18, the number of outputs must divide the axis.
func.func @not_divisible(%arg0: !torch.vtensor<[7],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Split, opset 13): axis of size 7 does not divide into 3 equal outputs}}
  // expected-note @+1 {{operands: ('tensor<7xf32>')}}
  %r1_0, %r1_1, %r1_2 = torch.operator "onnx.Split"(%arg0) : (!torch.vtensor<[7],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1],f32>)
  return %r1_0, %r1_1, %r1_2 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1],f32>
}

// -----

func.func @sum(%arg0: !torch.vtensor<[7],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Split, opset 13): 'forge.split' op (C3) expected 'sizes' that add up to 7, but got [3, 3]}}
  // expected-note @+1 {{operands: ('tensor<7xf32>', 'tensor<2xi64>')}}
  %r2_0, %r2_1 = torch.operator "onnx.Split"(%arg0, %c1) : (!torch.vtensor<[7],f32>, !torch.vtensor<[2],si64>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>)
  return %r2_0, %r2_1 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
}

// -----

func.func @count(%arg0: !torch.vtensor<[7],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 4]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Split, opset 13): there are 2 sizes for 3 outputs}}
  // expected-note @+1 {{operands: ('tensor<7xf32>', 'tensor<2xi64>')}}
  %r2_0, %r2_1, %r2_2 = torch.operator "onnx.Split"(%arg0, %c1) : (!torch.vtensor<[7],f32>, !torch.vtensor<[2],si64>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1],f32>)
  return %r2_0, %r2_1, %r2_2 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>, !torch.vtensor<[1],f32>
}

// -----

func.func @negative(%arg0: !torch.vtensor<[7],f32>) -> (!torch.vtensor<[8],f32>, !torch.vtensor<[1],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[8, -1]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Split, opset 13): 'forge.split' op (C2) expected 'sizes' with at least one value, none negative, but got [8, -1]}}
  // expected-note @+1 {{operands: ('tensor<7xf32>', 'tensor<2xi64>')}}
  %r2_0, %r2_1 = torch.operator "onnx.Split"(%arg0, %c1) : (!torch.vtensor<[7],f32>, !torch.vtensor<[2],si64>) -> (!torch.vtensor<[8],f32>, !torch.vtensor<[1],f32>)
  return %r2_0, %r2_1 : !torch.vtensor<[8],f32>, !torch.vtensor<[1],f32>
}

// -----

func.func @unknown(%arg0: !torch.vtensor<[7],f32>, %arg1: !torch.vtensor<[2],si64>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[4],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+3 {{node '' (Split, opset 13): split (input 1) must be known at compile time}}
  // expected-note @+2 {{operands: ('tensor<7xf32>', 'tensor<2xi64>')}}
  // expected-note @+1 {{bind input '' to a value with --bind}}
  %r1_0, %r1_1 = torch.operator "onnx.Split"(%arg0, %arg1) : (!torch.vtensor<[7],f32>, !torch.vtensor<[2],si64>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[4],f32>)
  return %r1_0, %r1_1 : !torch.vtensor<[3],f32>, !torch.vtensor<[4],f32>
}

// -----

func.func @num_outputs(%arg0: !torch.vtensor<[6],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+2 {{node '' (Split, opset 18): attribute 'num_outputs' is 3, but the node has 2 outputs}}
  // expected-note @+1 {{operands: ('tensor<6xf32>')}}
  %r1_0, %r1_1 = torch.operator "onnx.Split"(%arg0) {torch.onnx.num_outputs = 3 : si64} : (!torch.vtensor<[6],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>)
  return %r1_0, %r1_1 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
}

// -----

// Since opset 18, either the sizes or num_outputs must be given.
func.func @missing(%arg0: !torch.vtensor<[6],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+3 {{node '' (Split, opset 18): attribute 'num_outputs' is missing}}
  // expected-note @+2 {{operands: ('tensor<6xf32>')}}
  // expected-error @+1 {{node '' (Split, opset 18): attribute 'num_outputs' is 0, but the node has 2 outputs}}
  %r1_0, %r1_1 = torch.operator "onnx.Split"(%arg0) : (!torch.vtensor<[6],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>)
  return %r1_0, %r1_1 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
}

// -----

func.func @both(%arg0: !torch.vtensor<[6],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  // expected-error @+2 {{node '' (Split, opset 18): both 'split' and 'num_outputs' are given}}
  // expected-note @+1 {{operands: ('tensor<6xf32>', 'tensor<2xi64>')}}
  %r2_0, %r2_1 = torch.operator "onnx.Split"(%arg0, %c1) {torch.onnx.num_outputs = 2 : si64} : (!torch.vtensor<[6],f32>, !torch.vtensor<[2],si64>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>)
  return %r2_0, %r2_1 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
}

// -----

func.func @axis(%arg0: !torch.vtensor<[6],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Split, opset 13): axis 1 is outside rank 1}}
  // expected-note @+1 {{operands: ('tensor<6xf32>')}}
  %r1_0, %r1_1 = torch.operator "onnx.Split"(%arg0) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[6],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>)
  return %r1_0, %r1_1 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
}

// -----

// Parts of size 1, rounded up, would exceed the axis before the last output.
func.func @too_many_outputs(%arg0: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>) attributes {torch.onnx_meta.opset_version = 18 : si64} {
  // expected-error @+2 {{node '' (Split, opset 18): axis of size 2 cannot be split into 4 outputs of size 1}}
  // expected-note @+1 {{operands: ('tensor<2xf32>')}}
  %r1_0, %r1_1, %r1_2, %r1_3 = torch.operator "onnx.Split"(%arg0) {torch.onnx.num_outputs = 4 : si64} : (!torch.vtensor<[2],f32>) -> (!torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>)
  return %r1_0, %r1_1, %r1_2, %r1_3 : !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[1],f32>
}

// -----

// The attribute of opset 11 is rejected, not ignored.
func.func @old_attribute(%arg0: !torch.vtensor<[6],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  // expected-error @+2 {{node '' (Split, opset 13): attribute 'split' is not known to this converter}}
  // expected-note @+1 {{operands: ('tensor<6xf32>')}}
  %r1_0, %r1_1 = torch.operator "onnx.Split"(%arg0) {torch.onnx.split = [3 : si64, 3 : si64]} : (!torch.vtensor<[6],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>)
  return %r1_0, %r1_1 : !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
}

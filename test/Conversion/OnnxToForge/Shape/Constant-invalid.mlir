// RUN: forge-opt %s --convert-onnx-to-forge -split-input-file -verify-diagnostics

func.func @text() -> !torch.vtensor<[],!torch.str> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): the device cannot hold strings}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value_string = "a"} : () -> !torch.vtensor<[],!torch.str>
  return %r1 : !torch.vtensor<[],!torch.str>
}

// -----

func.func @nothing() -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): only 'value', 'value_int(s)' and 'value_float(s)' are supported}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() : () -> !torch.vtensor<[],f32>
  return %r1 : !torch.vtensor<[],f32>
}

// -----

func.func @complex() -> !torch.vtensor<[1],complex<f32>> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): attribute 'value' is not a tensor the device can hold}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>} : () -> !torch.vtensor<[1],complex<f32>>
  return %r1 : !torch.vtensor<[1],complex<f32>>
}

// -----

func.func @not_a_tensor() -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): attribute 'value' is not a tensor the device can hold}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = 1 : si64} : () -> !torch.vtensor<[],f32>
  return %r1 : !torch.vtensor<[],f32>
}

// -----

// A node with two values: one of them would be ignored.
func.func @two() -> !torch.vtensor<[],si64> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): attribute 'value_float' is not known to this converter}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value_float = 1.000000e+00 : f32, torch.onnx.value_int = 1 : si64} : () -> !torch.vtensor<[],si64>
  return %r1 : !torch.vtensor<[],si64>
}

// -----

// The declared shape differs from that of the value.
func.func @lie() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): output 0 is computed as tensor<2xi64>, but the model declares !torch.vtensor<[3],si64>}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-1, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[3],si64>
  return %r1 : !torch.vtensor<[3],si64>
}

// -----

func.func @vector() -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): attribute 'value' is not a tensor the device can hold}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : vector<2xsi64>} : () -> !torch.vtensor<[2],si64>
  return %r1 : !torch.vtensor<[2],si64>
}

// -----

func.func @ints() -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): attribute 'value_ints' is not a list of integers}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value_ints = [1 : si64, 1.000000e+00 : f32]} : () -> !torch.vtensor<[2],si64>
  return %r1 : !torch.vtensor<[2],si64>
}

// -----

func.func @floats() -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): attribute 'value_floats' is not a list of floats}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value_floats = [1 : si64, 1.000000e+00 : f32]} : () -> !torch.vtensor<[2],f32>
  return %r1 : !torch.vtensor<[2],f32>
}

// -----

func.func @sparse() -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): attribute 'value' has an unknown form}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = sparse<[[0]], [1.0]> : tensor<2xf32>} : () -> !torch.vtensor<[2],f32>
  return %r1 : !torch.vtensor<[2],f32>
}

// -----

// A 128-bit integer.
func.func @wide() -> !torch.vtensor<[1],si128> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  // expected-error @+2 {{node '' (Constant, opset 21): attribute 'value' is not a tensor the device can hold}}
  // expected-note @+1 {{operands: ()}}
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi128>} : () -> !torch.vtensor<[1],si128>
  return %r1 : !torch.vtensor<[1],si128>
}

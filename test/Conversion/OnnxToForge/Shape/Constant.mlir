// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Signed integers become signless integers.
// CHECK-LABEL: func.func @signed(
// CHECK: %[[V0:.+]] = forge.constant dense<[-1, 2]> : tensor<2xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2xi64>
func.func @signed() -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[-1, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  return %r1 : !torch.vtensor<[2],si64>
}

// CHECK-LABEL: func.func @unsigned(
// CHECK: %[[V0:.+]] = forge.constant dense<[0, 255]> : tensor<2xui8>
// CHECK-NEXT: return %[[V0]] : tensor<2xui8>
func.func @unsigned() -> !torch.vtensor<[2],ui8> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 255]> : tensor<2xui8>} : () -> !torch.vtensor<[2],ui8>
  return %r1 : !torch.vtensor<[2],ui8>
}

// CHECK-LABEL: func.func @half(
// CHECK: %[[V0:.+]] = forge.constant dense<1.500000e+00> : tensor<1xf16>
// CHECK-NEXT: return %[[V0]] : tensor<1xf16>
func.func @half() -> !torch.vtensor<[1],f16> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1.5> : tensor<1xf16>} : () -> !torch.vtensor<[1],f16>
  return %r1 : !torch.vtensor<[1],f16>
}

// CHECK-LABEL: func.func @bool(
// CHECK: %[[V0:.+]] = forge.constant dense<[true, false]> : tensor<2xi1>
// CHECK-NEXT: return %[[V0]] : tensor<2xi1>
func.func @bool() -> !torch.vtensor<[2],i1> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[true, false]> : tensor<2xi1>} : () -> !torch.vtensor<[2],i1>
  return %r1 : !torch.vtensor<[2],i1>
}

// A weight stays in its file and becomes a forge.parameter.
// CHECK-LABEL: func.func @weight(
// CHECK: %[[V0:.+]] = forge.parameter "w" : tensor<1024x1024xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1024x1024xf32>
func.func @weight() -> !torch.vtensor<[1024,1024],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<w> : tensor<1024x1024xf32>} : () -> !torch.vtensor<[1024,1024],f32>
  return %r1 : !torch.vtensor<[1024,1024],f32>
}

// CHECK-LABEL: func.func @integer_weight(
// CHECK: %[[V0:.+]] = forge.parameter "a\22b" : tensor<4xi64>
// CHECK-NEXT: return %[[V0]] : tensor<4xi64>
func.func @integer_weight() -> !torch.vtensor<[4],si64> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<"a\22b"> : tensor<4xsi64>} : () -> !torch.vtensor<[4],si64>
  return %r1 : !torch.vtensor<[4],si64>
}

// CHECK-LABEL: func.func @value_int(
// CHECK: %[[V0:.+]] = forge.constant dense<-3> : tensor<i64>
// CHECK-NEXT: return %[[V0]] : tensor<i64>
func.func @value_int() -> !torch.vtensor<[],si64> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value_int = -3 : si64} : () -> !torch.vtensor<[],si64>
  return %r1 : !torch.vtensor<[],si64>
}

// CHECK-LABEL: func.func @value_float(
// CHECK: %[[V0:.+]] = forge.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT: return %[[V0]] : tensor<f32>
func.func @value_float() -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value_float = 5.000000e-01 : f32} : () -> !torch.vtensor<[],f32>
  return %r1 : !torch.vtensor<[],f32>
}

// CHECK-LABEL: func.func @value_ints(
// CHECK: %[[V0:.+]] = forge.constant dense<[1, -2]> : tensor<2xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2xi64>
func.func @value_ints() -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value_ints = [1 : si64, -2 : si64]} : () -> !torch.vtensor<[2],si64>
  return %r1 : !torch.vtensor<[2],si64>
}

// CHECK-LABEL: func.func @no_ints(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0xi64>
// CHECK-NEXT: return %[[V0]] : tensor<0xi64>
func.func @no_ints() -> !torch.vtensor<[0],si64> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value_ints = []} : () -> !torch.vtensor<[0],si64>
  return %r1 : !torch.vtensor<[0],si64>
}

// CHECK-LABEL: func.func @value_floats(
// CHECK: %[[V0:.+]] = forge.constant dense<[1.000000e+00, 0x7F800000]> : tensor<2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2xf32>
func.func @value_floats() -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %r1 = torch.operator "onnx.Constant"() {torch.onnx.value_floats = [1.000000e+00 : f32, 0x7F800000 : f32]} : () -> !torch.vtensor<[2],f32>
  return %r1 : !torch.vtensor<[2],f32>
}

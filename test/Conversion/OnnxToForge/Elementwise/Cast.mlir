// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// A name before opset 6.
// CHECK-LABEL: func.func @name(
// CHECK: %[[V0:.+]] = forge.cast %arg0 {dtype = f16} : (tensor<2x3xf32>) -> tensor<2x3xf16>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf16>
func.func @name(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f16> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = "FLOAT16"} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f16>
  return %r1 : !torch.vtensor<[2,3],f16>
}

// CHECK-LABEL: func.func @to_int(
// CHECK: %[[V0:.+]] = forge.cast %arg0 {dtype = i64} : (tensor<2x3xf32>) -> tensor<2x3xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xi64>
func.func @to_int(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = 7 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],si64>
  return %r1 : !torch.vtensor<[2,3],si64>
}

// From integers.
// CHECK-LABEL: func.func @to_float(
// CHECK: %[[V0:.+]] = forge.cast %arg0 {dtype = f32} : (tensor<2xi64>) -> tensor<2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2xf32>
func.func @to_float(%arg0: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = 1 : si64} : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2],f32>
  return %r1 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @same(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @same(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = 1 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @to_bool(
// CHECK: %[[V0:.+]] = forge.cast %arg0 {dtype = i1} : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xi1>
func.func @to_bool(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],i1> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = 9 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],i1>
  return %r1 : !torch.vtensor<[2,3],i1>
}

// 0 and 1 fit everywhere.
// CHECK-LABEL: func.func @from_bool(
// CHECK: %[[V0:.+]] = forge.cast %arg0 {dtype = i8} : (tensor<2xi1>) -> tensor<2xi8>
// CHECK-NEXT: return %[[V0]] : tensor<2xi8>
func.func @from_bool(%arg0: !torch.vtensor<[2],i1>) -> !torch.vtensor<[2],si8> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = 3 : si64} : (!torch.vtensor<[2],i1>) -> !torch.vtensor<[2],si8>
  return %r1 : !torch.vtensor<[2],si8>
}

// As does a smaller integer.
// CHECK-LABEL: func.func @widened(
// CHECK: %[[V0:.+]] = forge.cast %arg0 {dtype = i16} : (tensor<2xui8>) -> tensor<2xi16>
// CHECK-NEXT: return %[[V0]] : tensor<2xi16>
func.func @widened(%arg0: !torch.vtensor<[2],ui8>) -> !torch.vtensor<[2],si16> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.to = 5 : si64} : (!torch.vtensor<[2],ui8>) -> !torch.vtensor<[2],si16>
  return %r1 : !torch.vtensor<[2],si16>
}

// For 8-bit floats only.
// CHECK-LABEL: func.func @saturate(
// CHECK: %[[V0:.+]] = forge.cast %arg0 {dtype = bf16} : (tensor<2x3xf32>) -> tensor<2x3xbf16>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xbf16>
func.func @saturate(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],bf16> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.saturate = 0 : si64, torch.onnx.to = 16 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],bf16>
  return %r1 : !torch.vtensor<[2,3],bf16>
}

// CHECK-LABEL: func.func @round_mode(
// CHECK: %[[V0:.+]] = forge.cast %arg0 {dtype = f64} : (tensor<2x3xf32>) -> tensor<2x3xf64>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf64>
func.func @round_mode(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f64> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %r1 = torch.operator "onnx.Cast"(%arg0) {torch.onnx.round_mode = "up", torch.onnx.to = 11 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f64>
  return %r1 : !torch.vtensor<[2,3],f64>
}

// CHECK-LABEL: func.func @folded(
// CHECK: %[[V0:.+]] = forge.constant dense<[1.700000e+00, -1.700000e+00, 3.000000e+02]> : tensor<3xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.constant dense<[1, -1, 300]> : tensor<3xi32>
// CHECK-NEXT: return %[[V1]] : tensor<3xi32>
func.func @folded() -> !torch.vtensor<[3],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.7, -1.7, 300.0]> : tensor<3xf32>} : () -> !torch.vtensor<[3],f32>
  %r2 = torch.operator "onnx.Cast"(%c1) {torch.onnx.to = 6 : si64} : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],si32>
  return %r2 : !torch.vtensor<[3],si32>
}

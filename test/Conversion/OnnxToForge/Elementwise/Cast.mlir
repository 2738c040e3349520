// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s --implicit-check-not="= forge."
// RUN: forge-opt %s --convert-onnx-to-forge=fold-limit=2 | FileCheck %s --check-prefix=LARGE

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype i32 : (tensor<2x3xf32>) -> tensor<2x3xi32>
// CHECK: %[[V1:.+]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V2:.+]] = forge.bitwise_and %[[V0]], %[[V1]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V3:.+]] = forge.constant dense<128> : tensor<i32>
// CHECK: %[[V4:.+]] = forge.add %[[V2]], %[[V3]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V5:.+]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V6:.+]] = forge.bitwise_and %[[V4]], %[[V5]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V7:.+]] = forge.constant dense<128> : tensor<i32>
// CHECK: %[[V8:.+]] = forge.subtract %[[V6]], %[[V7]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK: %[[V9:.+]] = forge.cast %[[V8]] dtype i8 : (tensor<2x3xi32>) -> tensor<2x3xi8>
// CHECK-NEXT: return %[[V9]] : tensor<2x3xi8>
func.func @f0(%x0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],si8> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Cast"(%x0) {torch.onnx.to = 3 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],si8>
  return %y : !torch.vtensor<[2,3],si8>
}

// CHECK-LABEL: func.func @f1(
// CHECK: %[[C0:.*]] = forge.constant dense<255> : tensor<i32>
// CHECK: %[[V1:.*]] = forge.bitwise_and %{{.*}}, %[[C0]] : {{.*}}tensor<2x3xi32> loc
// CHECK: %[[V2:.*]] = forge.cast %[[V1]] dtype ui8 : {{.*}}tensor<2x3xui8> loc
// CHECK: return %[[V2]] : tensor<2x3xui8>
func.func @f1(%x0: !torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],ui8> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Cast"(%x0) {torch.onnx.to = 2 : si64} : (!torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],ui8>
  return %y : !torch.vtensor<[2,3],ui8>
}

// CHECK-LABEL: func.func @f2(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype i32 : (tensor<2x3xi8>) -> tensor<2x3xi32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xi32>
func.func @f2(%x0: !torch.vtensor<[2,3],si8>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.Cast"(%x0) {torch.onnx.to = 6 : si64} : (!torch.vtensor<[2,3],si8>) -> !torch.vtensor<[2,3],si32>
  return %y : !torch.vtensor<[2,3],si32>
}

// Constants wrap, also if the result is too large to be folded.
// CHECK-LABEL: func.func @narrowed_constant(
// CHECK: %[[V0:.+]] = forge.constant dense<[44, -1, 7, -128]> : tensor<4xi8>
// LARGE-LABEL: func.func @narrowed_constant(
// LARGE: forge.bitwise_and
// LARGE: %[[WRAPPED:.+]] = forge.cast %{{.+}} dtype i8 : (tensor<4xi32>) -> tensor<4xi8>
// LARGE-NEXT: return %[[WRAPPED]]
func.func @narrowed_constant() -> !torch.vtensor<[4],si8> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[300, -1, 7, 128]> : tensor<4xsi32>} : () -> !torch.vtensor<[4],si32>
  %r = torch.operator "onnx.Cast"(%x) {torch.onnx.to = 3 : si64} : (!torch.vtensor<[4],si32>) -> !torch.vtensor<[4],si8>
  return %r : !torch.vtensor<[4],si8>
}

// The lowest int64 is a float, for example the end of a Slice; 2^63 is no int64.
// CHECK-LABEL: func.func @lowest(
// CHECK: %[[V0:.+]] = forge.constant dense<-9223372036854775808> : tensor<1xi64>
// CHECK: %[[V1:.+]] = forge.constant dense<{{.*}}> : tensor<1xf32>
// CHECK: %[[V2:.+]] = forge.cast %[[V1]] dtype i64
// CHECK: return %[[V0]], %[[V2]]
func.func @lowest() -> (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %x = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0xDF000000> : tensor<1xf32>} : () -> !torch.vtensor<[1],f32>
  %y = torch.operator "onnx.Cast"(%x) {torch.onnx.to = 7 : si64} : (!torch.vtensor<[1],f32>) -> !torch.vtensor<[1],si64>
  %z = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0x5F000000> : tensor<1xf32>} : () -> !torch.vtensor<[1],f32>
  %w = torch.operator "onnx.Cast"(%z) {torch.onnx.to = 7 : si64} : (!torch.vtensor<[1],f32>) -> !torch.vtensor<[1],si64>
  return %y, %w : !torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>
}

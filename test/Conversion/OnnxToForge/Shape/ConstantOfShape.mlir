// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @zeros(
// CHECK: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @zeros() -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.ConstantOfShape"(%c1) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @value(
// CHECK: %[[V0:.+]] = forge.constant dense<-1> : tensor<4xi64>
// CHECK-NEXT: return %[[V0]] : tensor<4xi64>
func.func @value() -> !torch.vtensor<[4],si64> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r2 = torch.operator "onnx.ConstantOfShape"(%c1) {torch.onnx.value = dense<-1> : tensor<1xsi64>} : (!torch.vtensor<[1],si64>) -> !torch.vtensor<[4],si64>
  return %r2 : !torch.vtensor<[4],si64>
}

// A large splat is stored as one element.
// CHECK-LABEL: func.func @large(
// CHECK: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<100000x100000xf32>
// CHECK-NEXT: return %[[V0]] : tensor<100000x100000xf32>
func.func @large() -> !torch.vtensor<[100000,100000],f32> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[100000, 100000]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.ConstantOfShape"(%c1) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[100000,100000],f32>
  return %r2 : !torch.vtensor<[100000,100000],f32>
}

// CHECK-LABEL: func.func @scalar(
// CHECK: %[[V0:.+]] = forge.constant dense<0.000000e+00> : tensor<f32>
// CHECK-NEXT: return %[[V0]] : tensor<f32>
func.func @scalar() -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<> : tensor<0xsi64>} : () -> !torch.vtensor<[0],si64>
  %r2 = torch.operator "onnx.ConstantOfShape"(%c1) : (!torch.vtensor<[0],si64>) -> !torch.vtensor<[],f32>
  return %r2 : !torch.vtensor<[],f32>
}

// CHECK-LABEL: func.func @empty(
// CHECK: %[[V0:.+]] = forge.constant dense<1.000000e+00> : tensor<0x3xf16>
// CHECK-NEXT: return %[[V0]] : tensor<0x3xf16>
func.func @empty() -> !torch.vtensor<[0,3],f16> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[0, 3]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r2 = torch.operator "onnx.ConstantOfShape"(%c1) {torch.onnx.value = dense<1.0> : tensor<1xf16>} : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[0,3],f16>
  return %r2 : !torch.vtensor<[0,3],f16>
}

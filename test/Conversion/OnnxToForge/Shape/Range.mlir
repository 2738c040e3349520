// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @integers(
// CHECK: %[[V0:.+]] = forge.constant dense<[1, 4, 7]> : tensor<3xi64>
// CHECK-NEXT: return %[[V0]] : tensor<3xi64>
func.func @integers() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<10> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],si64>
  return %r4 : !torch.vtensor<[3],si64>
}

// CHECK-LABEL: func.func @down(
// CHECK: %[[V0:.+]] = forge.constant dense<[5, 3, 1]> : tensor<3xi32>
// CHECK-NEXT: return %[[V0]] : tensor<3xi32>
func.func @down() -> !torch.vtensor<[3],si32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<5> : tensor<si32>} : () -> !torch.vtensor<[],si32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si32>} : () -> !torch.vtensor<[],si32>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-2> : tensor<si32>} : () -> !torch.vtensor<[],si32>
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) : (!torch.vtensor<[],si32>, !torch.vtensor<[],si32>, !torch.vtensor<[],si32>) -> !torch.vtensor<[3],si32>
  return %r4 : !torch.vtensor<[3],si32>
}

// CHECK-LABEL: func.func @floats(
// CHECK: %[[V0:.+]] = forge.constant dense<[0.000000e+00, 2.500000e-01, 5.000000e-01, 7.500000e-01]> : tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @floats() -> !torch.vtensor<[4],f32> attributes {torch.onnx_meta.opset_version = 27 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.25> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) {torch.onnx.stash_type = 1 : si64} : (!torch.vtensor<[],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[4],f32>
  return %r4 : !torch.vtensor<[4],f32>
}

// Integers that a double does not represent.
// CHECK-LABEL: func.func @large(
// CHECK: %[[V0:.+]] = forge.constant dense<[9007199254740993, 9007199254740994, 9007199254740995]> : tensor<3xi64>
// CHECK-NEXT: return %[[V0]] : tensor<3xi64>
func.func @large() -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<9007199254740993> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<9007199254740996> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],si64>
  return %r4 : !torch.vtensor<[3],si64>
}

// CHECK-LABEL: func.func @none(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0xi64>
// CHECK-NEXT: return %[[V0]] : tensor<0xi64>
func.func @none() -> !torch.vtensor<[0],si64> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<5> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r4 = torch.operator "onnx.Range"(%c1, %c2, %c3) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[0],si64>
  return %r4 : !torch.vtensor<[0],si64>
}

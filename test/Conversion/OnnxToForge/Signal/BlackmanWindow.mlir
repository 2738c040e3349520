// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: %[[V0:.+]] = forge.constant dense<[0.000000e+00, 6.300000e-01, 6.300000e-01, 0.000000e+00]> : tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @f() -> (!torch.vtensor<[4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %n = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %out = torch.operator "onnx.BlackmanWindow"(%n) {torch.onnx.periodic = 0 : si64} : (!torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
  return %out : !torch.vtensor<[4],f32>
}

// The largest element is exactly 1.
// CHECK-LABEL: func.func @integers(
// CHECK: forge.constant dense<[0, 0, 1, 0]> : tensor<4xi32>
func.func @integers() -> !torch.vtensor<[4],si32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r = torch.operator "onnx.BlackmanWindow"(%c0) {torch.onnx.output_datatype = 6 : si64} : (!torch.vtensor<[],si64>) -> !torch.vtensor<[4],si32>
  return %r : !torch.vtensor<[4],si32>
}

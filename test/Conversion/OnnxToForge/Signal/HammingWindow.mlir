// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: %[[V0:.+]] = forge.constant dense<[0.0869565233, 0.771739125, 0.771739125, 0.0869565233]> : tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @f() -> (!torch.vtensor<[4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %n = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %out = torch.operator "onnx.HammingWindow"(%n) {torch.onnx.periodic = 0 : si64} : (!torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
  return %out : !torch.vtensor<[4],f32>
}

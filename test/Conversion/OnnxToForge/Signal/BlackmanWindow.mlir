// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: %[[V0:.+]] = forge.constant dense<[-1.38777878E-17, 6.300000e-01, 6.300000e-01, -1.38777878E-17]> : tensor<4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<4xf32>
func.func @f() -> (!torch.vtensor<[4],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %n = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %out = torch.operator "onnx.BlackmanWindow"(%n) {torch.onnx.periodic = 0 : si64} : (!torch.vtensor<[],si64>) -> !torch.vtensor<[4],f32>
  return %out : !torch.vtensor<[4],f32>
}

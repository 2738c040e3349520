// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f(
// CHECK: %[[V0:.+]] = forge.constant dense<{{\[\[}}1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<5x2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<5x2xf32>
func.func @f() -> (!torch.vtensor<[5,2],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %a = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %b = torch.operator "onnx.Constant"() {torch.onnx.value = dense<8> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %c = torch.operator "onnx.Constant"() {torch.onnx.value = dense<8000> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %d = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %e = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4000.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %out = torch.operator "onnx.MelWeightMatrix"(%a, %b, %c, %d, %e) : (!torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[5,2],f32>
  return %out : !torch.vtensor<[5,2],f32>
}

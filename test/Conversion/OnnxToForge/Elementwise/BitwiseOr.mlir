// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f0(
// CHECK: %[[V0:.+]] = forge.bitwise_and %arg0, %arg1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.subtract %arg0, %[[V0]] : tensor<2x3xi32>
// CHECK-NEXT: %[[V2:.+]] = forge.add %[[V1]], %arg1 : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3xi32>
func.func @f0(%x0: !torch.vtensor<[2,3],si32>, %x1: !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %y = torch.operator "onnx.BitwiseOr"(%x0, %x1) {} : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3],si32>) -> !torch.vtensor<[2,3],si32>
  return %y : !torch.vtensor<[2,3],si32>
}

// Two constants are evaluated in their own type.
// CHECK-LABEL: func.func @constants(
// CHECK: %[[C:.+]] = forge.constant dense<{{\[}}1099511627779, -1]> : tensor<2xi64>
// CHECK: return %[[C]]
func.func @constants() -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %a = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1099511627776, -2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %b = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[3, 5]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %y = torch.operator "onnx.BitwiseOr"(%a, %b) : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  return %y : !torch.vtensor<[2],si64>
}

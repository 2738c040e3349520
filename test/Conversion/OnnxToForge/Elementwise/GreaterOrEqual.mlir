// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Forge's comparison gives 0 or 1 in the operands' type, which is cast to a boolean.
// CHECK-LABEL: func.func @broadcast(
// CHECK: %[[V0:.+]] = forge.greater_equal %arg0, %arg1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.cast %[[V0]] dtype i1 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xi1>
func.func @broadcast(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],i1> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %r1 = torch.operator "onnx.GreaterOrEqual"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[2,3],i1>
  return %r1 : !torch.vtensor<[2,3],i1>
}

// CHECK-LABEL: func.func @integers(
// CHECK: %[[V0:.+]] = forge.greater_equal %arg0, %arg1 : tensor<2xi64>
// CHECK-NEXT: %[[V1:.+]] = forge.cast %[[V0]] dtype i1 : (tensor<2xi64>) -> tensor<2xi1>
// CHECK-NEXT: return %[[V1]] : tensor<2xi1>
func.func @integers(%arg0: !torch.vtensor<[2],si64>, %arg1: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],i1> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %r1 = torch.operator "onnx.GreaterOrEqual"(%arg0, %arg1) : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],i1>
  return %r1 : !torch.vtensor<[2],i1>
}

// CHECK-LABEL: func.func @folded(
// CHECK: %[[V0:.+]] = forge.constant dense<[false, true, true]> : tensor<3xi1>
// CHECK-NEXT: return %[[V0]] : tensor<3xi1>
func.func @folded() -> !torch.vtensor<[3],i1> attributes {torch.onnx_meta.opset_version = 19 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2, 3]> : tensor<3xsi64>} : () -> !torch.vtensor<[3],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r3 = torch.operator "onnx.GreaterOrEqual"(%c1, %c2) : (!torch.vtensor<[3],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[3],i1>
  return %r3 : !torch.vtensor<[3],i1>
}

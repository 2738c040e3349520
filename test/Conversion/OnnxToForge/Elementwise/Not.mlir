// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @not(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype i32 : (tensor<2xi1>) -> tensor<2xi32>
// CHECK-NEXT: %[[V1:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V2:.+]] = forge.equal %[[V0]], %[[V1]] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
// CHECK-NEXT: %[[V3:.+]] = forge.cast %[[V2]] dtype i1 : (tensor<2xi32>) -> tensor<2xi1>
// CHECK-NEXT: return %[[V3]] : tensor<2xi1>
func.func @not(%arg0: !torch.vtensor<[2],i1>) -> !torch.vtensor<[2],i1> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Not"(%arg0) : (!torch.vtensor<[2],i1>) -> !torch.vtensor<[2],i1>
  return %r1 : !torch.vtensor<[2],i1>
}

// CHECK-LABEL: func.func @folded(
// CHECK: %[[V0:.+]] = forge.constant dense<[false, true]> : tensor<2xi1>
// CHECK-NEXT: return %[[V0]] : tensor<2xi1>
func.func @folded() -> !torch.vtensor<[2],i1> attributes {torch.onnx_meta.opset_version = 28 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[true, false]> : tensor<2xi1>} : () -> !torch.vtensor<[2],i1>
  %r2 = torch.operator "onnx.Not"(%c1) : (!torch.vtensor<[2],i1>) -> !torch.vtensor<[2],i1>
  return %r2 : !torch.vtensor<[2],i1>
}

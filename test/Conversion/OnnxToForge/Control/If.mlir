// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// With a constant condition, one branch remains. The branches are in the order of their attribute names, else first.
// CHECK-LABEL: func.func @constant_condition(
// CHECK: %[[V0:.+]] = forge.abs %arg0 : tensor<3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<3xf32>
func.func @constant_condition(%x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %c = torch.operator "onnx.Constant"() {torch.onnx.value = dense<true> : tensor<i1>} : () -> !torch.vtensor<[],i1>
  %r = torch.operator "onnx.If"(%c) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[3],f32> {
    %e = torch.operator "onnx.Neg"(%x) : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %e : !torch.vtensor<[3],f32>
  }, {
    %t = torch.operator "onnx.Abs"(%x) : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %t : !torch.vtensor<[3],f32>
  }
  return %r : !torch.vtensor<[3],f32>
}

// Otherwise both branches are computed, and the results are selected.
// CHECK-LABEL: func.func @dynamic_condition(
// CHECK: %[[E:.*]] = forge.multiply
// CHECK-NEXT: %[[T:.*]] = forge.abs
// CHECK-NEXT: forge.where %arg1, %[[T]], %[[E]]
func.func @dynamic_condition(%x: !torch.vtensor<[3],f32>, %c: !torch.vtensor<[],i1>) -> !torch.vtensor<[3],f32> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %r = torch.operator "onnx.If"(%c) : (!torch.vtensor<[],i1>) -> !torch.vtensor<[3],f32> {
    %e = torch.operator "onnx.Neg"(%x) : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %e : !torch.vtensor<[3],f32>
  }, {
    %t = torch.operator "onnx.Abs"(%x) : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %t : !torch.vtensor<[3],f32>
  }
  return %r : !torch.vtensor<[3],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @last(
// An index may count from the start or from the end: it is compared with both, and nothing is added to it, because the
// sum could overflow.
// CHECK-DAG: forge.constant dense<{{.*}}0, 1, 2, 3
// CHECK-DAG: forge.constant dense<{{.*}}-4, -3, -2, -1
// CHECK-NOT: forge.add
// CHECK-COUNT-2: forge.equal
// CHECK: forge.max
// CHECK: forge.where
func.func @last(%arg0: !torch.vtensor<[3],si64>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r = torch.operator "onnx.OneHot"(%arg0, %c0, %arg1) : (!torch.vtensor<[3],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,4],f32>
  return %r : !torch.vtensor<[3,4],f32>
}

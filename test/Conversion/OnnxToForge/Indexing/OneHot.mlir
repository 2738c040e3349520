// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @last(
// CHECK: forge.less %arg0
// CHECK: forge.where
// CHECK: dense<{{.*}}0, 1, 2, 3
// CHECK: forge.equal
// CHECK: forge.where
func.func @last(%arg0: !torch.vtensor<[3],si64>, %arg1: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,4],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<4> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r = torch.operator "onnx.OneHot"(%arg0, %c0, %arg1) : (!torch.vtensor<[3],si64>, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[3,4],f32>
  return %r : !torch.vtensor<[3,4],f32>
}

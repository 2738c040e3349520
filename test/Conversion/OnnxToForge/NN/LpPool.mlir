// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @sums(
// CHECK: forge.multiply %arg0, %arg0
// CHECK: forge.add
// CHECK: forge.sqrt
func.func @sums(%arg0: !torch.vtensor<[1,1,4],f32>) -> !torch.vtensor<[1,1,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %r = torch.operator "onnx.LpPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64]} : (!torch.vtensor<[1,1,4],f32>) -> !torch.vtensor<[1,1,3],f32>
  return %r : !torch.vtensor<[1,1,3],f32>
}

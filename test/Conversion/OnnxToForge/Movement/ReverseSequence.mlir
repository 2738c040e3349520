// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @time(
// CHECK: forge.transpose %arg0
// CHECK: forge.subtract
// CHECK: forge.less
// CHECK: forge.where
// CHECK: forge.adv_index
// CHECK: forge.transpose
func.func @time(%arg0: !torch.vtensor<[4,3],f32>, %arg1: !torch.vtensor<[3],si64>) -> !torch.vtensor<[4,3],f32> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %r = torch.operator "onnx.ReverseSequence"(%arg0, %arg1) : (!torch.vtensor<[4,3],f32>, !torch.vtensor<[3],si64>) -> !torch.vtensor<[4,3],f32>
  return %r : !torch.vtensor<[4,3],f32>
}

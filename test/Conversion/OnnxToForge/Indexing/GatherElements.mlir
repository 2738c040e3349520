// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @dynamic(
// CHECK: forge.wrap_index %arg1 size 4
// CHECK: forge.reshape %arg0 shape [8]
// CHECK: forge.adv_index
func.func @dynamic(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[2,1],si64>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r = torch.operator "onnx.GatherElements"(%arg0, %arg1) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2,1],si64>) -> !torch.vtensor<[2,1],f32>
  return %r : !torch.vtensor<[2,1],f32>
}

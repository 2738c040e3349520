// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @depths(
// CHECK: forge.conv2d
// CHECK: forge.conv2d
// CHECK: forge.add
func.func @depths(%arg0: !torch.vtensor<[1,1,3,4,4],f32>, %arg1: !torch.vtensor<[1,1,2,3,3],f32>) -> !torch.vtensor<[1,1,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r = torch.operator "onnx.Conv"(%arg0, %arg1) : (!torch.vtensor<[1,1,3,4,4],f32>, !torch.vtensor<[1,1,2,3,3],f32>) -> !torch.vtensor<[1,1,2,2,2],f32>
  return %r : !torch.vtensor<[1,1,2,2,2],f32>
}

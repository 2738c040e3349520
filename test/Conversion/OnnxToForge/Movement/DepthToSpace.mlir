// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @dcr(
// CHECK: shape [1, 2, 2, 2, 2, 3]
// CHECK: forge.transpose
// CHECK: shape [1, 2, 4, 6]
func.func @dcr(%arg0: !torch.vtensor<[1,8,2,3],f32>) -> !torch.vtensor<[1,2,4,6],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r = torch.operator "onnx.DepthToSpace"(%arg0) {torch.onnx.blocksize = 2 : si64} : (!torch.vtensor<[1,8,2,3],f32>) -> !torch.vtensor<[1,2,4,6],f32>
  return %r : !torch.vtensor<[1,2,4,6],f32>
}

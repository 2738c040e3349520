// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Blocks of 2 x 2 pixels become channels; the axes of the block precede the original channels.
// CHECK-LABEL: func.func @blocks(
// CHECK-DAG: %[[V0:.+]] = forge.reshape %arg0 shape [1, 3, 2, 2, 3, 2] : (tensor<1x3x4x6xf32>) -> tensor<1x3x2x2x3x2xf32>
// CHECK-DAG: %[[V1:.+]] = forge.transpose %[[V0]] dims -5, -3 : (tensor<1x3x2x2x3x2xf32>) -> tensor<1x2x2x3x3x2xf32>
// CHECK-DAG: %[[V2:.+]] = forge.transpose %[[V1]] dims -4, -1 : tensor<1x2x2x3x3x2xf32>
// CHECK-DAG: %[[V3:.+]] = forge.transpose %[[V2]] dims -2, -1 : (tensor<1x2x2x3x3x2xf32>) -> tensor<1x2x2x3x2x3xf32>
// CHECK-DAG: %[[V4:.+]] = forge.reshape %[[V3]] shape [1, 12, 2, 3] : (tensor<1x2x2x3x2x3xf32>) -> tensor<1x12x2x3xf32>
// CHECK: return %[[V4]] : tensor<1x12x2x3xf32>
func.func @blocks(%x: !torch.vtensor<[1,3,4,6],f32>) -> !torch.vtensor<[1,12,2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r = torch.operator "onnx.SpaceToDepth"(%x) {torch.onnx.blocksize = 2 : si64} : (!torch.vtensor<[1,3,4,6],f32>) -> !torch.vtensor<[1,12,2,3],f32>
  return %r : !torch.vtensor<[1,12,2,3],f32>
}

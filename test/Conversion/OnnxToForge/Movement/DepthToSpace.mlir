// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// With mode DCR, the axes of the block precede the channels.
// CHECK-LABEL: func.func @dcr(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 2, 2, 3, 4, 5] : (tensor<1x12x4x5xf32>) -> tensor<1x2x2x3x4x5xf32>
// CHECK: %[[V1:.+]] = forge.transpose %[[V0]] dims -5, -3 : (tensor<1x2x2x3x4x5xf32>) -> tensor<1x3x2x2x4x5xf32>
// CHECK: %[[V2:.+]] = forge.transpose %[[V1]] dims -4, -2 : (tensor<1x3x2x2x4x5xf32>) -> tensor<1x3x4x2x2x5xf32>
// CHECK: %[[V3:.+]] = forge.transpose %[[V2]] dims -2, -1 : (tensor<1x3x4x2x2x5xf32>) -> tensor<1x3x4x2x5x2xf32>
// CHECK: %[[V4:.+]] = forge.reshape %[[V3]] shape [1, 3, 8, 10]
// CHECK: return %[[V4]] : tensor<1x3x8x10xf32>
func.func @dcr(%arg0: !torch.vtensor<[1,12,4,5],f32>) -> !torch.vtensor<[1,3,8,10],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r = torch.operator "onnx.DepthToSpace"(%arg0) {torch.onnx.blocksize = 2 : si64} : (!torch.vtensor<[1,12,4,5],f32>) -> !torch.vtensor<[1,3,8,10],f32>
  return %r : !torch.vtensor<[1,3,8,10],f32>
}

// With mode CRD, the axes of the block follow the channels, and are merged with height and width.
// CHECK-LABEL: func.func @crd(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [1, 3, 2, 2, 4, 5] : (tensor<1x12x4x5xf32>) -> tensor<1x3x2x2x4x5xf32>
// CHECK: %[[V1:.+]] = forge.transpose %[[V0]] dims -4, -2 : (tensor<1x3x2x2x4x5xf32>) -> tensor<1x3x4x2x2x5xf32>
// CHECK: %[[V2:.+]] = forge.transpose %[[V1]] dims -3, -2 : tensor<1x3x4x2x2x5xf32>
// CHECK: %[[V3:.+]] = forge.transpose %[[V2]] dims -2, -1 : (tensor<1x3x4x2x2x5xf32>) -> tensor<1x3x4x2x5x2xf32>
// CHECK: %[[V4:.+]] = forge.reshape %[[V3]] shape [1, 3, 8, 10]
// CHECK: return %[[V4]] : tensor<1x3x8x10xf32>
func.func @crd(%arg0: !torch.vtensor<[1,12,4,5],f32>) -> !torch.vtensor<[1,3,8,10],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r = torch.operator "onnx.DepthToSpace"(%arg0) {torch.onnx.blocksize = 2 : si64, torch.onnx.mode = "CRD"} : (!torch.vtensor<[1,12,4,5],f32>) -> !torch.vtensor<[1,3,8,10],f32>
  return %r : !torch.vtensor<[1,3,8,10],f32>
}

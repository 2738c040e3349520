// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// The 2-norm over all spatial axes.
// CHECK-LABEL: func.func @norm(
// CHECK: %[[V0:.+]] = forge.multiply %arg0, %arg0 : tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reduce_sum %[[V0]] dim -1 keep_dim : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x1xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reduce_sum %[[V1]] dim -2 keep_dim : (tensor<1x2x3x1xf32>) -> tensor<1x2x1x1xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.sqrt %[[V2]] : tensor<1x2x1x1xf32>
// CHECK-NEXT: return %[[V3]] : tensor<1x2x1x1xf32>
func.func @norm(%x: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,1,1],f32> attributes {torch.onnx_meta.opset_version = 22 : si64} {
  %r = torch.operator "onnx.GlobalLpPool"(%x) : (!torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,1,1],f32>
  return %r : !torch.vtensor<[1,2,1,1],f32>
}

// The 1-norm needs neither a power nor a root.
// CHECK-LABEL: func.func @sums(
// CHECK: %[[V0:.+]] = forge.abs %arg0 : tensor<1x2x3x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reduce_sum %[[V0]] dim -1 keep_dim : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x1xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.reduce_sum %[[V1]] dim -2 keep_dim : (tensor<1x2x3x1xf32>) -> tensor<1x2x1x1xf32>
// CHECK-NEXT: return %[[V2]] : tensor<1x2x1x1xf32>
func.func @sums(%x: !torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,1,1],f32> attributes {torch.onnx_meta.opset_version = 2 : si64} {
  %r = torch.operator "onnx.GlobalLpPool"(%x) {torch.onnx.p = 1 : si64} : (!torch.vtensor<[1,2,3,4],f32>) -> !torch.vtensor<[1,2,1,1],f32>
  return %r : !torch.vtensor<[1,2,1,1],f32>
}

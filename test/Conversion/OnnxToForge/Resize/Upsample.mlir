// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Nearest neighbour, with a scale of 2 along the width.
// CHECK-LABEL: func.func @nearest(
// CHECK: %[[V0:.+]] = forge.repeat_interleave %arg0 repeats 2 dim -1 : (tensor<1x1x2x2xf32>) -> tensor<1x1x2x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x1x2x4xf32>
func.func @nearest(%x: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,2,4],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1.0, 1.0, 1.0, 2.0]> : tensor<4xf32>} : () -> !torch.vtensor<[4],f32>
  %r = torch.operator "onnx.Upsample"(%x, %s) {torch.onnx.mode = "nearest"} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,1,2,4],f32>
  return %r : !torch.vtensor<[1,1,2,4],f32>
}

// Before opset 9 the scales are an attribute.
// CHECK-LABEL: func.func @attribute(
// CHECK: %[[V0:.+]] = forge.repeat_interleave %arg0 repeats 2 dim -2 : (tensor<1x1x2x2xf32>) -> tensor<1x1x4x2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.repeat_interleave %[[V0]] repeats 2 dim -1 : (tensor<1x1x4x2xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<1x1x4x4xf32>
func.func @attribute(%x: !torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32> attributes {torch.onnx_meta.opset_version = 7 : si64} {
  %r = torch.operator "onnx.Upsample"(%x) {torch.onnx.mode = "nearest", torch.onnx.scales = [1.0 : f32, 1.0 : f32, 2.0 : f32, 2.0 : f32]} : (!torch.vtensor<[1,1,2,2],f32>) -> !torch.vtensor<[1,1,4,4],f32>
  return %r : !torch.vtensor<[1,1,4,4],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @sums(
// CHECK: forge.multiply %arg0, %arg0
// CHECK: forge.add
// CHECK: forge.sqrt
func.func @sums(%arg0: !torch.vtensor<[1,1,4],f32>) -> !torch.vtensor<[1,1,3],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %r = torch.operator "onnx.LpPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64]} : (!torch.vtensor<[1,1,4],f32>) -> !torch.vtensor<[1,1,3],f32>
  return %r : !torch.vtensor<[1,1,3],f32>
}

// Powers of 16-bit floats overflow, or become 0, so that they are computed in f32.
// CHECK-LABEL: func.func @float16(
// CHECK: forge.cast %arg0 dtype f32 : (tensor<1x1x4xf16>) -> tensor<1x1x4xf32>
// CHECK: forge.power {{.*}} -> tensor<1x1x4xf32>
// CHECK: forge.add {{.*}} : tensor<1x1x3xf32>
// CHECK: %[[NORM:.*]] = forge.power {{.*}} -> tensor<1x1x3xf32>
// CHECK: forge.cast %[[NORM]] dtype f16 : (tensor<1x1x3xf32>) -> tensor<1x1x3xf16>
func.func @float16(%arg0: !torch.vtensor<[1,1,4],f16>) -> !torch.vtensor<[1,1,3],f16> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %r = torch.operator "onnx.LpPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64], torch.onnx.p = 4 : si64} : (!torch.vtensor<[1,1,4],f16>) -> !torch.vtensor<[1,1,3],f16>
  return %r : !torch.vtensor<[1,1,3],f16>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @dilated(
// CHECK: forge.max
func.func @dilated(%arg0: !torch.vtensor<[1,1,5],f32>) -> !torch.vtensor<[1,1,3],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %r = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64], torch.onnx.dilations = [2 : si64]} : (!torch.vtensor<[1,1,5],f32>) -> !torch.vtensor<[1,1,3],f32>
  return %r : !torch.vtensor<[1,1,3],f32>
}

// First height and width of each slice are pooled, then the depth, with all pixels of a slice as one axis.
// CHECK-LABEL: func.func @volume(
// CHECK: forge.max_pool2d {{.*}} channel_last{{.*}} : (tensor<6x4x4x2xf32>) -> tensor<6x2x2x2xf32>
// CHECK: forge.max_pool2d {{.*}} channel_last{{.*}} : (tensor<2x3x4x2xf32>) -> tensor<2x2x4x2xf32>
func.func @volume(%arg0: !torch.vtensor<[2,2,3,4,4],f32>) -> !torch.vtensor<[2,2,2,2,2],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %r = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64, 3 : si64, 3 : si64]} : (!torch.vtensor<[2,2,3,4,4],f32>) -> !torch.vtensor<[2,2,2,2,2],f32>
  return %r : !torch.vtensor<[2,2,2,2,2],f32>
}

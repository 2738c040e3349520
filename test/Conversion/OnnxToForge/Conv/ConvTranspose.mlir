// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @direct(
// CHECK: forge.conv2d_transpose %arg0, %arg1 {{.*}}padding [1, 1]
func.func @direct(%arg0: !torch.vtensor<[1,1,2,2],f32>, %arg1: !torch.vtensor<[1,1,3,3],f32>) -> !torch.vtensor<[1,1,3,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r = torch.operator "onnx.ConvTranspose"(%arg0, %arg1) {torch.onnx.strides = [2 : si64, 2 : si64], torch.onnx.pads = [1 : si64, 1 : si64, 1 : si64, 1 : si64]} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[1,1,3,3],f32>) -> !torch.vtensor<[1,1,3,3],f32>
  return %r : !torch.vtensor<[1,1,3,3],f32>
}

// CHECK-LABEL: func.func @cropped(
// CHECK: forge.conv2d_transpose %arg0, %arg1 {{.*}}padding [0, 0]
// CHECK: forge.strided_slice
// CHECK: forge.strided_slice
func.func @cropped(%arg0: !torch.vtensor<[1,1,2,2],f32>, %arg1: !torch.vtensor<[1,1,3,3],f32>) -> !torch.vtensor<[1,1,4,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %r = torch.operator "onnx.ConvTranspose"(%arg0, %arg1) {torch.onnx.strides = [2 : si64, 2 : si64], torch.onnx.pads = [0 : si64, 1 : si64, 1 : si64, 1 : si64]} : (!torch.vtensor<[1,1,2,2],f32>, !torch.vtensor<[1,1,3,3],f32>) -> !torch.vtensor<[1,1,4,3],f32>
  return %r : !torch.vtensor<[1,1,4,3],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @dilated(
// CHECK: forge.max
func.func @dilated(%arg0: !torch.vtensor<[1,1,5],f32>) -> !torch.vtensor<[1,1,3],f32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %r = torch.operator "onnx.MaxPool"(%arg0) {torch.onnx.kernel_shape = [2 : si64], torch.onnx.dilations = [2 : si64]} : (!torch.vtensor<[1,1,5],f32>) -> !torch.vtensor<[1,1,3],f32>
  return %r : !torch.vtensor<[1,1,3],f32>
}

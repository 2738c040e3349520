// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// One axis is cropped around its centre, the other padded with zeros.
// CHECK-LABEL: func.func @both(
// CHECK: %[[V0:.+]] = forge.strided_slice %arg0 dim 0 [1:3] : (tensor<4x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.pad %[[V0]] pad [1, 1] mode constant value 0.000000e+00 : (tensor<2x2xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x4xf32>
func.func @both(%x: !torch.vtensor<[4,2],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %s = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[2, 4]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %r = torch.operator "onnx.CenterCropPad"(%x, %s) : (!torch.vtensor<[4,2],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,4],f32>
  return %r : !torch.vtensor<[2,4],f32>
}

// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @axis(
// CHECK: forge.strided_slice %arg0 dim 1 [0:3:2]
func.func @axis(%arg0: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,2],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[true, false, true]> : tensor<3xi1>} : () -> !torch.vtensor<[3],i1>
  %r = torch.operator "onnx.Compress"(%arg0, %c0) {torch.onnx.axis = 1 : si64} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[3],i1>) -> !torch.vtensor<[2,2],f32>
  return %r : !torch.vtensor<[2,2],f32>
}

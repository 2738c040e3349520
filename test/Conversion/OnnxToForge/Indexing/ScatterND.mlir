// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK: forge.concatenate %arg0, %arg1 axis -2 :
// CHECK: forge.
func.func @rows(%arg0: !torch.vtensor<[3,2],f32>, %arg1: !torch.vtensor<[1,2],f32>) -> !torch.vtensor<[3,2],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %c0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[[1]]> : tensor<1x1xsi64>} : () -> !torch.vtensor<[1,1],si64>
  %r = torch.operator "onnx.ScatterND"(%arg0, %c0, %arg1) : (!torch.vtensor<[3,2],f32>, !torch.vtensor<[1,1],si64>, !torch.vtensor<[1,2],f32>) -> !torch.vtensor<[3,2],f32>
  return %r : !torch.vtensor<[3,2],f32>
}

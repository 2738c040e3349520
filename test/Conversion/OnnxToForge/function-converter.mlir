// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// A node from a function body keeps the opset of the body: before opset 13, axes are an attribute.
// CHECK-LABEL: func.func @older
// CHECK: forge.reduce_sum
func.func @older(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %y = torch.operator "onnx.ReduceSum"(%x) {torch.onnx.axes = [1 : si64], torch.onnx_meta.opset = 11 : si64} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32>
  return %y : !torch.vtensor<[2,1],f32>
}

// CHECK-LABEL: func.func @newer
// CHECK: forge.reduce_sum
func.func @newer(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,1],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %axes = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %y = torch.operator "onnx.ReduceSum"(%x, %axes) {torch.onnx_meta.opset = 13 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,1],f32>
  return %y : !torch.vtensor<[2,1],f32>
}

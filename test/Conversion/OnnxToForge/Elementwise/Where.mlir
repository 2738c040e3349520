// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @broadcast(
// CHECK: %[[V0:.+]] = forge.where %arg0, %arg1, %arg2 : (tensor<2x1xi1>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @broadcast(%arg0: !torch.vtensor<[2,1],i1>, %arg1: !torch.vtensor<[3],f32>, %arg2: !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %r1 = torch.operator "onnx.Where"(%arg0, %arg1, %arg2) : (!torch.vtensor<[2,1],i1>, !torch.vtensor<[3],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @folded(
// CHECK: %[[V0:.+]] = forge.constant dense<[1, -1]> : tensor<2xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2xi64>
func.func @folded() -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[true, false]> : tensor<2xi1>} : () -> !torch.vtensor<[2],i1>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  %c3 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r4 = torch.operator "onnx.Where"(%c1, %c2, %c3) : (!torch.vtensor<[2],i1>, !torch.vtensor<[2],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[2],si64>
  return %r4 : !torch.vtensor<[2],si64>
}

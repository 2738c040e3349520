// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// The oldest version, with the attribute consumed_inputs of opsets before 6.
// CHECK-LABEL: func.func @oldest(
// CHECK: %[[V0:.+]] = forge.sqrt %arg0 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @oldest(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Sqrt"(%arg0) {torch.onnx.consumed_inputs = [0 : si64]} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @newest(
// CHECK: %[[V0:.+]] = forge.sqrt %arg0 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @newest(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 28 : si64} {
  %r1 = torch.operator "onnx.Sqrt"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

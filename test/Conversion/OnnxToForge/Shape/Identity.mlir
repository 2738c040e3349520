// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @oldest(
// CHECK: return %arg0 : tensor<2x3xf32>
func.func @oldest(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Identity"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @newest(
// CHECK: return %arg0 : tensor<2xi64>
func.func @newest(%arg0: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %r1 = torch.operator "onnx.Identity"(%arg0) : (!torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64>
  return %r1 : !torch.vtensor<[2],si64>
}

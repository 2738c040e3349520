// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @f16(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype f16 : (tensor<2x3xf32>) -> tensor<2x3xf16>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf16>
func.func @f16(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[],f16>) -> !torch.vtensor<[2,3],f16> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %r1 = torch.operator "onnx.CastLike"(%arg0, %arg1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f16>) -> !torch.vtensor<[2,3],f16>
  return %r1 : !torch.vtensor<[2,3],f16>
}

// CHECK-LABEL: func.func @saturate(
// CHECK: %[[V0:.+]] = forge.cast %arg0 dtype i64 : (tensor<2x3xf32>) -> tensor<2x3xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xi64>
func.func @saturate(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,3],si64> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %r1 = torch.operator "onnx.CastLike"(%arg0, %arg1) {torch.onnx.round_mode = "up", torch.onnx.saturate = 1 : si64} : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2,3],si64>
  return %r1 : !torch.vtensor<[2,3],si64>
}

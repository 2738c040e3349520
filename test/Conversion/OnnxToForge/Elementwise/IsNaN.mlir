// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// NaN is the only value that does not equal itself.
// CHECK-LABEL: func.func @nan(
// CHECK: %[[V0:.+]] = forge.not_equal %arg0, %arg0 : tensor<2x3xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.cast %[[V0]] dtype i1 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xi1>
func.func @nan(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],i1> attributes {torch.onnx_meta.opset_version = 9 : si64} {
  %r1 = torch.operator "onnx.IsNaN"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],i1>
  return %r1 : !torch.vtensor<[2,3],i1>
}

// CHECK-LABEL: func.func @newest(
// CHECK: %[[V0:.+]] = forge.not_equal %arg0, %arg0 : tensor<2xf16>
// CHECK-NEXT: %[[V1:.+]] = forge.cast %[[V0]] dtype i1 : (tensor<2xf16>) -> tensor<2xi1>
// CHECK-NEXT: return %[[V1]] : tensor<2xi1>
func.func @newest(%arg0: !torch.vtensor<[2],f16>) -> !torch.vtensor<[2],i1> attributes {torch.onnx_meta.opset_version = 20 : si64} {
  %r1 = torch.operator "onnx.IsNaN"(%arg0) : (!torch.vtensor<[2],f16>) -> !torch.vtensor<[2],i1>
  return %r1 : !torch.vtensor<[2],i1>
}

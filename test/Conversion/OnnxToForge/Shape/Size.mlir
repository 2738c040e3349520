// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @size(
// CHECK: %[[V0:.+]] = forge.constant dense<24> : tensor<i64>
// CHECK-NEXT: return %[[V0]] : tensor<i64>
func.func @size(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[],si64> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Size"(%arg0) : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[],si64>
  return %r1 : !torch.vtensor<[],si64>
}

// CHECK-LABEL: func.func @empty(
// CHECK: %[[V0:.+]] = forge.constant dense<0> : tensor<i64>
// CHECK-NEXT: return %[[V0]] : tensor<i64>
func.func @empty(%arg0: !torch.vtensor<[2,0],f32>) -> !torch.vtensor<[],si64> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %r1 = torch.operator "onnx.Size"(%arg0) : (!torch.vtensor<[2,0],f32>) -> !torch.vtensor<[],si64>
  return %r1 : !torch.vtensor<[],si64>
}

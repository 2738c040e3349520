// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @there(
// CHECK: forge.constant dense<true> : tensor<i1>
func.func @there(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[],i1> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %r = torch.operator "onnx.OptionalHasElement"(%arg0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[],i1>
  return %r : !torch.vtensor<[],i1>
}

// CHECK-LABEL: func.func @absent(
// CHECK: forge.constant dense<false> : tensor<i1>
func.func @absent() -> !torch.vtensor<[],i1> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %e = torch.constant.none
  %r = torch.operator "onnx.OptionalHasElement"(%e) : (!torch.none) -> !torch.vtensor<[],i1>
  return %r : !torch.vtensor<[],i1>
}

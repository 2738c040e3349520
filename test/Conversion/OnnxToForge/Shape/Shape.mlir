// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @whole(
// CHECK: %[[V0:.+]] = forge.constant dense<[2, 3, 4]> : tensor<3xi64>
// CHECK-NEXT: return %[[V0]] : tensor<3xi64>
func.func @whole(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[3],si64> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Shape"(%arg0) : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[3],si64>
  return %r1 : !torch.vtensor<[3],si64>
}

// CHECK-LABEL: func.func @part(
// CHECK: %[[V0:.+]] = forge.constant dense<3> : tensor<1xi64>
// CHECK-NEXT: return %[[V0]] : tensor<1xi64>
func.func @part(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1],si64> attributes {torch.onnx_meta.opset_version = 15 : si64} {
  %r1 = torch.operator "onnx.Shape"(%arg0) {torch.onnx.end = -1 : si64, torch.onnx.start = -2 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[1],si64>
  return %r1 : !torch.vtensor<[1],si64>
}

// CHECK-LABEL: func.func @clamped(
// CHECK: %[[V0:.+]] = forge.constant dense<[3, 4]> : tensor<2xi64>
// CHECK-NEXT: return %[[V0]] : tensor<2xi64>
func.func @clamped(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2],si64> attributes {torch.onnx_meta.opset_version = 25 : si64} {
  %r1 = torch.operator "onnx.Shape"(%arg0) {torch.onnx.end = 99 : si64, torch.onnx.start = 1 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2],si64>
  return %r1 : !torch.vtensor<[2],si64>
}

// CHECK-LABEL: func.func @none(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0xi64>
// CHECK-NEXT: return %[[V0]] : tensor<0xi64>
func.func @none(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[0],si64> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Shape"(%arg0) {torch.onnx.end = 1 : si64, torch.onnx.start = 2 : si64} : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[0],si64>
  return %r1 : !torch.vtensor<[0],si64>
}

// CHECK-LABEL: func.func @rank_0(
// CHECK: %[[V0:.+]] = forge.constant dense<> : tensor<0xi64>
// CHECK-NEXT: return %[[V0]] : tensor<0xi64>
func.func @rank_0(%arg0: !torch.vtensor<[],f32>) -> !torch.vtensor<[0],si64> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Shape"(%arg0) : (!torch.vtensor<[],f32>) -> !torch.vtensor<[0],si64>
  return %r1 : !torch.vtensor<[0],si64>
}

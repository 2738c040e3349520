// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Nodes whose domain is an attribute.
// CHECK-LABEL: func.func @several_domains(
// CHECK: %[[V0:.+]] = forge.relu %arg0 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @several_domains(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 21 : si64, torch.onnx_meta.opset_versions = {com.microsoft = 1 : si64}} {
  %r1 = torch.operator "onnx.Relu"(%arg0) {torch.onnx_meta.domain = ""} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @two_functions(
// CHECK: %[[V0:.+]] = forge.relu %arg0 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @two_functions(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// Shape, Gather, Unsqueeze and Concat, which compute the shape of a flattening, are folded.
// CHECK-LABEL: func.func @shape_arithmetic(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [2, 12] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x12xf32>
func.func @shape_arithmetic(%arg0: !torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[2,12],f32> attributes {torch.onnx_meta.opset_version = 21 : si64} {
  %r1 = torch.operator "onnx.Shape"(%arg0) : (!torch.vtensor<[2,3,4],f32>) -> !torch.vtensor<[3],si64>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %r3 = torch.operator "onnx.Gather"(%r1, %c2) : (!torch.vtensor<[3],si64>, !torch.vtensor<[],si64>) -> !torch.vtensor<[],si64>
  %c4 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r5 = torch.operator "onnx.Unsqueeze"(%r3, %c4) : (!torch.vtensor<[],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[1],si64>
  %c6 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<-1> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r7 = torch.operator "onnx.Concat"(%r5, %c6) {torch.onnx.axis = 0 : si64} : (!torch.vtensor<[1],si64>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[2],si64>
  %r8 = torch.operator "onnx.Reshape"(%arg0, %r7) : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,12],f32>
  return %r8 : !torch.vtensor<[2,12],f32>
}

// The importer declares a result of unknown rank as rank 0.
// CHECK-LABEL: func.func @unknown_rank(
// CHECK: %[[V0:.+]] = forge.reshape %arg0 shape [6] : (tensor<2x3xf32>) -> tensor<6xf32>
// CHECK-NEXT: return %[[V0]] : tensor<6xf32>
func.func @unknown_rank(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<6> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %r2 = torch.operator "onnx.Reshape"(%arg0, %c1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[],f32>
  return %r2 : !torch.vtensor<[],f32>
}

// An unknown dim of the declared type is inferred.
// CHECK-LABEL: func.func @dynamic_result(
// CHECK: %[[V0:.+]] = forge.relu %arg0 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @dynamic_result(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,?],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,?],f32>
  return %r1 : !torch.vtensor<[2,?],f32>
}

// A result without a declared type is used by another node.
// CHECK-LABEL: func.func @no_type(
// CHECK: %[[V0:.+]] = forge.relu %arg0 : tensor<2x3xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.relu %[[V0]] : tensor<2x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xf32>
func.func @no_type(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.none
  %r2 = torch.operator "onnx.Relu"(%r1) : (!torch.none) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// The outputs are an input, a constant, and one value twice.
// CHECK-LABEL: func.func @outputs(
// CHECK: %[[V0:.+]] = forge.relu %arg0 : tensor<2x3xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.constant dense<[1, 2]> : tensor<2xi64>
// CHECK-NEXT: return %arg0, %[[V1]], %[[V0]], %[[V0]] : tensor<2x3xf32>, tensor<2xi64>, tensor<2x3xf32>, tensor<2x3xf32>
func.func @outputs(%arg0: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Relu"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1, 2]> : tensor<2xsi64>} : () -> !torch.vtensor<[2],si64>
  return %arg0, %c2, %r1, %r1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2],si64>, !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
}

// A function without inputs, nodes and outputs.
// CHECK-LABEL: func.func @nothing(
// CHECK: return
func.func @nothing() attributes {torch.onnx_meta.opset_version = 13 : si64} {
  return
}

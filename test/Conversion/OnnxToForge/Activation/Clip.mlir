// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// Before opset 11 the bounds are attributes.
// CHECK-LABEL: func.func @attributes(
// CHECK: %[[V0:.+]] = forge.clip %arg0 min -1.000000e+00 max 6.000000e+00 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @attributes(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 6 : si64} {
  %r1 = torch.operator "onnx.Clip"(%arg0) {torch.onnx.max = 6.000000e+00 : f32, torch.onnx.min = -1.000000e+00 : f32} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// Only the upper bound is given.
// CHECK-LABEL: func.func @consumed(
// CHECK: %[[V0:.+]] = forge.clip %arg0 min 0xFF800000 max 6.000000e+00 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @consumed(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 1 : si64} {
  %r1 = torch.operator "onnx.Clip"(%arg0) {torch.onnx.consumed_inputs = [0 : si64], torch.onnx.max = 6.000000e+00 : f32} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// Constant bounds become one call.
// CHECK-LABEL: func.func @inputs(
// CHECK: %[[V0:.+]] = forge.clip %arg0 min 0.000000e+00 max 6.000000e+00 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @inputs(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 11 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<6.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %r3 = torch.operator "onnx.Clip"(%arg0, %c1, %c2) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32>
  return %r3 : !torch.vtensor<[2,3],f32>
}

// An absent bound is infinite.
// CHECK-LABEL: func.func @no_minimum(
// CHECK: %[[V0:.+]] = forge.clip %arg0 min 0xFF800000 max 6.000000e+00 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @no_minimum(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %none = torch.constant.none
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<6.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %r2 = torch.operator "onnx.Clip"(%arg0, %none, %c1) : (!torch.vtensor<[2,3],f32>, !torch.none, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32>
  return %r2 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @no_bounds(
// CHECK: %[[V0:.+]] = forge.clip %arg0 min 0xFF800000 max 0x7F800000 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @no_bounds(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Clip"(%arg0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// If the lower bound exceeds the upper one, ONNX's result is the upper bound, so that min is applied last.
// CHECK-LABEL: func.func @lower_above_upper(
// CHECK: %[[V0:.+]] = forge.constant dense<3.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V1:.+]] = forge.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[V2:.+]] = forge.max %arg0, %[[V0]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.min %[[V2]], %[[V1]] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V3]] : tensor<2x3xf32>
func.func @lower_above_upper(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<3.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %c2 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<1.0> : tensor<f32>} : () -> !torch.vtensor<[],f32>
  %r3 = torch.operator "onnx.Clip"(%arg0, %c1, %c2) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32>
  return %r3 : !torch.vtensor<[2,3],f32>
}

// Bounds that are inputs of the graph.
// CHECK-LABEL: func.func @dynamic_bounds(
// CHECK: %[[V0:.+]] = forge.max %arg0, %arg1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.min %[[V0]], %arg2 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xf32>
func.func @dynamic_bounds(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[],f32>, %arg2: !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 13 : si64} {
  %r1 = torch.operator "onnx.Clip"(%arg0, %arg1, %arg2) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

// forge.clip accepts floats only.
// CHECK-LABEL: func.func @integers(
// CHECK: %[[V0:.+]] = forge.constant dense<0> : tensor<i32>
// CHECK-NEXT: %[[V1:.+]] = forge.max %arg0, %[[V0]] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
// CHECK-NEXT: return %[[V1]] : tensor<2x3xi32>
func.func @integers(%arg0: !torch.vtensor<[2,3],si32>) -> !torch.vtensor<[2,3],si32> attributes {torch.onnx_meta.opset_version = 12 : si64} {
  %c1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si32>} : () -> !torch.vtensor<[],si32>
  %r2 = torch.operator "onnx.Clip"(%arg0, %c1) : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[],si32>) -> !torch.vtensor<[2,3],si32>
  return %r2 : !torch.vtensor<[2,3],si32>
}

// From opset 6 to 10 the default bounds are finite, so that infinities are clipped.
// CHECK-LABEL: func.func @finite_default(
// CHECK: %[[V0:.+]] = forge.clip %arg0 min 0.000000e+00 max 3.40282347E+38 : tensor<2x3xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3xf32>
func.func @finite_default(%arg0: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> attributes {torch.onnx_meta.opset_version = 10 : si64} {
  %r1 = torch.operator "onnx.Clip"(%arg0) {torch.onnx.min = 0.000000e+00 : f32} : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  return %r1 : !torch.vtensor<[2,3],f32>
}

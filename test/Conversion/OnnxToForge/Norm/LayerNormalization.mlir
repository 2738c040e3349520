// RUN: forge-opt %s --convert-onnx-to-forge | FileCheck %s

// CHECK-LABEL: func.func @last(
// CHECK: %[[V0:.+]] = forge.layernorm %arg0, %arg1, %arg2 dim -1 epsilon 9.99999974E-6 : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2x3x4xf32>
func.func @last(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[4],f32>, %arg2: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1, %arg2) : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// Several axes are flattened to one. An absent bias is -0, which does not change the sign of a zero.
// CHECK-LABEL: func.func @two_axes(
// CHECK-DAG: %[[V0:.+]] = forge.constant dense<-0.000000e+00> : tensor<12xf32>
// CHECK-DAG: %[[V1:.+]] = forge.reshape %arg1 shape [12] : (tensor<3x4xf32>) -> tensor<12xf32>
// CHECK-DAG: %[[V2:.+]] = forge.reshape %arg0 shape [2, 12] : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-DAG: %[[V3:.+]] = forge.layernorm %[[V2]], %[[V1]], %[[V0]] dim -1 epsilon 0.00999999977 : (tensor<2x12xf32>, tensor<12xf32>, tensor<12xf32>) -> tensor<2x12xf32>
// CHECK-DAG: %[[V4:.+]] = forge.reshape %[[V3]] shape [2, 3, 4] : (tensor<2x12xf32>) -> tensor<2x3x4xf32>
// CHECK: return %[[V4]] : tensor<2x3x4xf32>
func.func @two_axes(%arg0: !torch.vtensor<[2,3,4],f32>, %arg1: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,3,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) {torch.onnx.axis = 1 : si64, torch.onnx.epsilon = 1.000000e-02 : f32} : (!torch.vtensor<[2,3,4],f32>, !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,3,4],f32>
  return %r1 : !torch.vtensor<[2,3,4],f32>
}

// A scale of one element is repeated.
// CHECK-LABEL: func.func @scalar_scale(
// CHECK: %[[V0:.+]] = forge.repeat %arg1 repeats [4] : (tensor<1xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.layernorm %arg0, %[[V0]], %arg2 dim -1 epsilon 9.99999974E-6 : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x4xf32>
func.func @scalar_scale(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[1],f32>, %arg2: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 28 : si64} {
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1, %arg2) {torch.onnx.stash_type = 1 : si64} : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[1],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// forge.layernorm has no scale per row.
// CHECK-LABEL: func.func @scale_per_row(
// CHECK-NOT: forge.layernorm
// CHECK: forge.reduce_avg
// CHECK: forge.multiply {{.*}}, %arg1 : tensor<2x4xf32>
func.func @scale_per_row(%arg0: !torch.vtensor<[2,4],f32>, %arg1: !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32> attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %r1 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) : (!torch.vtensor<[2,4],f32>, !torch.vtensor<[2,4],f32>) -> !torch.vtensor<[2,4],f32>
  return %r1 : !torch.vtensor<[2,4],f32>
}

// The statistics have the type that stash_type names.
// CHECK-LABEL: func.func @double_statistics(
// CHECK: forge.cast {{.*}} dtype f32 : (tensor<2x1xf64>) -> tensor<2x1xf32>
func.func @double_statistics(%arg0: !torch.vtensor<[2,4],f64>, %arg1: !torch.vtensor<[4],f64>) -> (!torch.vtensor<[2,4],f64>, !torch.vtensor<[2,1],f32>) attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %r1:2 = torch.operator "onnx.LayerNormalization"(%arg0, %arg1) : (!torch.vtensor<[2,4],f64>, !torch.vtensor<[4],f64>) -> (!torch.vtensor<[2,4],f64>, !torch.vtensor<[2,1],f32>)
  return %r1#0, %r1#1 : !torch.vtensor<[2,4],f64>, !torch.vtensor<[2,1],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// The loop is unrolled: the loop-carried values pass from one iteration to the next, and the scan output is stacked.
// CHECK-LABEL: func.func @trips(
// CHECK-DAG: %[[V0:.+]] = forge.multiply %arg0, %arg0 : tensor<3xf32>
// CHECK-DAG: %[[V1:.+]] = forge.multiply %[[V0]], %[[V0]] : tensor<3xf32>
// CHECK-DAG: %[[V2:.+]] = forge.reshape %arg0 shape [1, 3] : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK-DAG: %[[V3:.+]] = forge.reshape %[[V0]] shape [1, 3] : (tensor<3xf32>) -> tensor<1x3xf32>
// CHECK-DAG: %[[V4:.+]] = forge.concatenate %[[V2]], %[[V3]] axis -2 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK: return %[[V1]], %[[V4]] : tensor<3xf32>, tensor<2x3xf32>
func.func @trips(%x: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %none = torch.constant.none
  %m = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %out:2 = torch.operator "onnx.Loop"(%m, %none, %x) : (!torch.vtensor<[],si64>, !torch.none, !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>) {
  ^bb0(%i: !torch.vtensor<[],si64>, %go: !torch.vtensor<[],i1>, %s: !torch.vtensor<[3],f32>):
    %n = torch.operator "onnx.Mul"(%s, %s) : (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %go, %n, %s : !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
  }
  return %out#0, %out#1 : !torch.vtensor<[3],f32>, !torch.vtensor<[2,3],f32>
}

// With a condition that is an input, each iteration selects between the old and the new loop-carried value.
// CHECK-LABEL: func.func @masked(
// CHECK-DAG: %[[V0:.+]] = forge.multiply %arg1, %arg1 : tensor<3xf32>
// CHECK-DAG: %[[V1:.+]] = forge.where %arg0, %[[V0]], %arg1 : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK-DAG: %[[V2:.+]] = forge.cast %arg0 dtype i32 : (tensor<i1>) -> tensor<i32>
// CHECK-DAG: %[[V3:.+]] = forge.cast %arg0 dtype i32 : (tensor<i1>) -> tensor<i32>
// CHECK-DAG: %[[V4:.+]] = forge.multiply %[[V3]], %[[V2]] : tensor<i32>
// CHECK-DAG: %[[V5:.+]] = forge.cast %[[V4]] dtype i1 : (tensor<i32>) -> tensor<i1>
// CHECK-DAG: %[[V6:.+]] = forge.multiply %[[V1]], %[[V1]] : tensor<3xf32>
// CHECK-DAG: %[[V7:.+]] = forge.where %[[V5]], %[[V6]], %[[V1]] : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK: return %[[V7]] : tensor<3xf32>
func.func @masked(%c: !torch.vtensor<[],i1>, %x: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %m = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %out = torch.operator "onnx.Loop"(%m, %c, %x) : (!torch.vtensor<[],si64>, !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %go: !torch.vtensor<[],i1>, %s: !torch.vtensor<[3],f32>):
    %n = torch.operator "onnx.Mul"(%s, %s) : (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %go, %n : !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>
  }
  return %out : !torch.vtensor<[3],f32>
}

// Without iterations, the states are the initial ones, and scan outputs are empty.
// CHECK-LABEL: func.func @no_iterations
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>
func.func @no_iterations(%x: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[0,3],f32>) attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %none = torch.constant.none
  %m = torch.operator "onnx.Constant"() {torch.onnx.value = dense<0> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  // CHECK: %[[EMPTY:.*]] = forge.constant {{.*}} : tensor<0x3xf32>
  %out:2 = torch.operator "onnx.Loop"(%m, %none, %x) : (!torch.vtensor<[],si64>, !torch.none, !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>, !torch.vtensor<[0,3],f32>) {
  ^bb0(%i: !torch.vtensor<[],si64>, %go: !torch.vtensor<[],i1>, %s: !torch.vtensor<[3],f32>):
    %n = torch.operator "onnx.Exp"(%s) : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %go, %n, %n : !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>
  }
  // CHECK: return %[[X]], %[[EMPTY]]
  return %out#0, %out#1 : !torch.vtensor<[3],f32>, !torch.vtensor<[0,3],f32>
}

// RUN: forge-opt %s -convert-onnx-to-forge | FileCheck %s

// The states pass from one iteration to the next; the scan output is stacked.
// CHECK-LABEL: func.func @trips(
// CHECK: forge.constant dense<2>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.constant dense<0>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.constant dense<true>{{.*}}  tensor<i1>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<3xf32>
// CHECK-NEXT: forge.constant dense<1>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.constant dense<true>{{.*}}  tensor<i1>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<3xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x3xf32>
// CHECK-NEXT: forge.reshape{{.*}}-> tensor<1x3xf32>
// CHECK-NEXT: forge.concatenate {{.*}}{axis = -2 : i64}{{.*}}-> tensor<2x3xf32>
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

// A condition that is not known selects between the old and the new state.
// CHECK-LABEL: func.func @masked(
// CHECK: forge.constant dense<2>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.constant dense<0>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<3xf32>
// CHECK-NEXT: forge.where{{.*}}-> tensor<3xf32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<i32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<i32>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<i32>
// CHECK-NEXT: forge.cast{{.*}}-> tensor<i1>
// CHECK-NEXT: forge.constant dense<1>{{.*}}  tensor<i64>
// CHECK-NEXT: forge.multiply{{.*}}-> tensor<3xf32>
// CHECK-NEXT: forge.where{{.*}}-> tensor<3xf32>
func.func @masked(%c: !torch.vtensor<[],i1>, %x: !torch.vtensor<[3],f32>) -> (!torch.vtensor<[3],f32>) attributes {torch.onnx_meta.opset_version = 16 : si64} {
  %m = torch.operator "onnx.Constant"() {torch.onnx.value = dense<2> : tensor<si64>} : () -> !torch.vtensor<[],si64>
  %out = torch.operator "onnx.Loop"(%m, %c, %x) : (!torch.vtensor<[],si64>, !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32> {
  ^bb0(%i: !torch.vtensor<[],si64>, %go: !torch.vtensor<[],i1>, %s: !torch.vtensor<[3],f32>):
    %n = torch.operator "onnx.Mul"(%s, %s) : (!torch.vtensor<[3],f32>, !torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
    torch.operator_terminator %go, %n : !torch.vtensor<[],i1>, !torch.vtensor<[3],f32>
  }
  return %out : !torch.vtensor<[3],f32>
}

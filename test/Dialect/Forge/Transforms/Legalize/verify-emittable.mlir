// RUN: forge-opt %s --forge-verify-emittable | FileCheck %s

// Calls, weights and constants on types that Forge holds.
// CHECK-LABEL: func.func @emittable(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "w" : tensor<2xf32>
// CHECK-DAG: %[[V1:.+]] = forge.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-DAG: %[[V2:.+]] = forge.add %arg0, %[[V0]] : tensor<2xf32>
// CHECK-DAG: %[[V3:.+]] = forge.add %arg1, %[[V1]] : tensor<2xi32>
// CHECK-DAG: %[[V4:.+]] = forge.cast %[[V3]] dtype bf16 : (tensor<2xi32>) -> tensor<2xbf16>
// CHECK: return %[[V2]], %[[V4]] : tensor<2xf32>, tensor<2xbf16>
func.func @emittable(%a: tensor<2xf32>, %b: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xbf16>) {
  %0 = forge.parameter "w" : tensor<2xf32>
  %1 = forge.constant dense<[1, 2]> : tensor<2xi32>
  %2 = forge.add %a, %0 : tensor<2xf32>
  %3 = forge.add %b, %1 : tensor<2xi32>
  %4 = forge.cast %3 dtype bf16 : (tensor<2xi32>) -> tensor<2xbf16>
  return %2, %4 : tensor<2xf32>, tensor<2xbf16>
}

// A module may return nothing.
// CHECK-LABEL: func.func @no_outputs(
// CHECK: return
func.func @no_outputs(%a: tensor<2xf32>) {

  return
}

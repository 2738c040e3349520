// RUN: forge-opt %s --mlir-print-debuginfo=false --forge-isolate-outputs | FileCheck %s

// An output with a call of its own is unchanged.
// CHECK-LABEL: func.func @output_of_a_call(%arg0: tensor<2xf32>) -> tensor<2xf32>
// CHECK: %[[V0:.+]] = forge.relu %arg0 : tensor<2xf32>
// CHECK-NEXT: return %[[V0]] : tensor<2xf32>
func.func @output_of_a_call(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = forge.relu %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// An input, a weight, a constant and a scalar are not computed by a call: each output of them gets an identity.
// CHECK-LABEL: func.func @no_call(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<1xf32>)
// CHECK-DAG: %[[V0:.+]] = forge.parameter "w" : tensor<2xf32>
// CHECK-DAG: %[[V1:.+]] = forge.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-DAG: %[[V2:.+]] = forge.scalar_constant constant 1.000000e+00 dtype f32 : tensor<1xf32>
// CHECK-DAG: %[[V3:.+]] = forge.identity %arg0 : tensor<2xf32>
// CHECK-DAG: %[[V4:.+]] = forge.identity %[[V0]] : tensor<2xf32>
// CHECK-DAG: %[[V5:.+]] = forge.identity %[[V1]] : tensor<2xi32>
// CHECK-DAG: %[[V6:.+]] = forge.identity %[[V2]] : tensor<1xf32>
// CHECK: return %[[V3]], %[[V4]], %[[V5]], %[[V6]] : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<1xf32>
func.func @no_call(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<1xf32>) {
  %0 = forge.parameter "w" : tensor<2xf32>
  %1 = forge.constant dense<[1, 2]> : tensor<2xi32>
  %2 = forge.scalar_constant constant 1.0 dtype f32 : tensor<1xf32>
  return %a, %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<1xf32>
}

// A tensor cannot be returned twice: further outputs get an identity.
// CHECK-LABEL: func.func @twice(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
// CHECK: %[[V0:.+]] = forge.relu %arg0 : tensor<2xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.identity %[[V0]] : tensor<2xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.identity %arg0 : tensor<2xf32>
// CHECK-NEXT: %[[V3:.+]] = forge.identity %arg0 : tensor<2xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %[[V2]], %[[V3]] : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
func.func @twice(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = forge.relu %a : tensor<2xf32>
  return %0, %0, %a, %a : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// A function without outputs is unchanged.
// CHECK-LABEL: func.func @none(%arg0: tensor<2xf32>)
// CHECK: return
func.func @none(%a: tensor<2xf32>) {

  return
}

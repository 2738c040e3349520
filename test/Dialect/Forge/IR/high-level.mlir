// Every op in text and through bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @high_level(
func.func @high_level(%arg0: tensor<2x10xf32>) {
  // CHECK: %{{.+}} = forge.split %arg0 {dim = -1 : i64, sizes = array<i64: 2, 3, 0, 5>} : (tensor<2x10xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x5xf32>)
  %0:4 = forge.split %arg0 {dim = -1 : i64, sizes = array<i64: 2, 3, 0, 5>} : (tensor<2x10xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x5xf32>)
  // CHECK-NEXT: %{{.+}} = forge.split %arg0 {dim = 0 : i64, sizes = array<i64: 2>} : (tensor<2x10xf32>) -> tensor<2x10xf32>
  %1 = forge.split %arg0 {dim = 0 : i64, sizes = array<i64: 2>} : (tensor<2x10xf32>) -> tensor<2x10xf32>
  // CHECK-NEXT: %{{.+}} = forge.strided_slice %arg0 {axes = array<i64: 1, -2>, begin = array<i64: -3, 0>, end = array<i64: 9223372036854775807, 1>, strides = array<i64: 2, 1>} : (tensor<2x10xf32>) -> tensor<1x2xf32>
  %2 = forge.strided_slice %arg0 {axes = array<i64: 1, -2>, begin = array<i64: -3, 0>, end = array<i64: 9223372036854775807, 1>, strides = array<i64: 2, 1>} : (tensor<2x10xf32>) -> tensor<1x2xf32>
  // CHECK-NEXT: %{{.+}} = forge.strided_slice %arg0 {axes = array<i64: 1>, begin = array<i64: -1>, end = array<i64: -9223372036854775808>, strides = array<i64: -9223372036854775808>} : (tensor<2x10xf32>) -> tensor<2x1xf32>
  %3 = forge.strided_slice %arg0 {axes = array<i64: 1>, begin = array<i64: -1>, end = array<i64: -9223372036854775808>, strides = array<i64: -9223372036854775808>} : (tensor<2x10xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: %{{.+}} = forge.strided_slice %arg0 {axes = array<i64>, begin = array<i64>, end = array<i64>, strides = array<i64>} : (tensor<2x10xf32>) -> tensor<2x10xf32>
  %4 = forge.strided_slice %arg0 {axes = array<i64>, begin = array<i64>, end = array<i64>, strides = array<i64>} : (tensor<2x10xf32>) -> tensor<2x10xf32>
  return
}

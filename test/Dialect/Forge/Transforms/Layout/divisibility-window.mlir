// RUN: forge-opt %s --forge-divisibility-rewrite=rules=window | FileCheck %s
// RUN: forge-opt %s --forge-divisibility-rewrite=rules=hoist | FileCheck %s --check-prefix=OFF
// RUN: forge-opt %s --forge-divisibility-rewrite="rules=window remarks=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: forge-opt %s --forge-divisibility-rewrite=rules=window --forge-slice-canonicalize | FileCheck %s --check-prefix=OFF
// RUN: not forge-opt %s --forge-divisibility-rewrite=rules=windows 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: [FM2006] unknown rule 'windows'
// WHY: remark: window: the slice takes apart the tiles that it touches only, tile traffic 688 -> 96

// [80, 160) of 2560 is [16, 96) of the tiles [64, 160); aligned slices stay.
// CHECK-LABEL: func.func @window(
// CHECK-DAG: %[[W:.+]] = forge.strided_slice %arg0 {axes = array<i64: 2>, begin = array<i64: 64>, end = array<i64: 160>, strides = array<i64: 1>}
// CHECK-DAG: %[[A:.+]] = forge.strided_slice %[[W]] {axes = array<i64: 2>, begin = array<i64: 16>, end = array<i64: 96>, strides = array<i64: 1>}
// CHECK-DAG: %[[B:.+]] = forge.strided_slice %arg0 {axes = array<i64: 2>, begin = array<i64: 0>, end = array<i64: 80>, strides = array<i64: 1>}
// CHECK-DAG: %[[C:.+]] = forge.strided_slice %arg0 {axes = array<i64: 2>, begin = array<i64: 160>, end = array<i64: 320>, strides = array<i64: 1>}
// CHECK: return %[[A]], %[[B]], %[[C]]
// OFF-LABEL: func.func @window(
// OFF: begin = array<i64: 80>
func.func @window(%x: tensor<1x128x2560xf32>) -> (tensor<1x128x80xf32>, tensor<1x128x80xf32>, tensor<1x128x160xf32>) {
  %a = forge.strided_slice %x {axes = array<i64: 2>, begin = array<i64: 80>, end = array<i64: 160>, strides = array<i64: 1>} : (tensor<1x128x2560xf32>) -> tensor<1x128x80xf32>
  %b = forge.strided_slice %x {axes = array<i64: 2>, begin = array<i64: 0>, end = array<i64: 80>, strides = array<i64: 1>} : (tensor<1x128x2560xf32>) -> tensor<1x128x80xf32>
  %c = forge.strided_slice %x {axes = array<i64: 2>, begin = array<i64: 160>, end = array<i64: 320>, strides = array<i64: 1>} : (tensor<1x128x2560xf32>) -> tensor<1x128x160xf32>
  return %a, %b, %c : tensor<1x128x80xf32>, tensor<1x128x80xf32>, tensor<1x128x160xf32>
}

// The window is nearly all of the input: no gain.
// CHECK-LABEL: func.func @most_of_it(
// CHECK-NEXT: forge.strided_slice %arg0 {axes = array<i64: 2>, begin = array<i64: 80>
// CHECK-NEXT: return
func.func @most_of_it(%x: tensor<1x128x160xf32>) -> tensor<1x128x80xf32> {
  %a = forge.strided_slice %x {axes = array<i64: 2>, begin = array<i64: 80>, end = array<i64: 160>, strides = array<i64: 1>} : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  return %a : tensor<1x128x80xf32>
}

// A step inside the window.
// CHECK-LABEL: func.func @step(
// CHECK-NEXT: %[[W:.+]] = forge.strided_slice %arg0 {axes = array<i64: 2>, begin = array<i64: 96>, end = array<i64: 224>
// CHECK-NEXT: forge.strided_slice %[[W]] {axes = array<i64: 2>, begin = array<i64: 4>, end = array<i64: 104>, strides = array<i64: 2>}
func.func @step(%x: tensor<1x128x2560xf32>) -> tensor<1x128x50xf32> {
  %a = forge.strided_slice %x {axes = array<i64: 2>, begin = array<i64: 100>, end = array<i64: 200>, strides = array<i64: 2>} : (tensor<1x128x2560xf32>) -> tensor<1x128x50xf32>
  return %a : tensor<1x128x50xf32>
}

// On the CPU nothing is in tiles.
// CHECK-LABEL: func.func @host(
// CHECK-NEXT: forge.strided_slice %arg0 {axes = array<i64: 2>, begin = array<i64: 80>
// CHECK-NEXT: return
func.func @host(%x: tensor<1x128x2560xf32>) -> tensor<1x128x80xf32> attributes {forge.partition = "cpu"} {
  %a = forge.strided_slice %x {axes = array<i64: 2>, begin = array<i64: 80>, end = array<i64: 160>, strides = array<i64: 1>} : (tensor<1x128x2560xf32>) -> tensor<1x128x80xf32>
  return %a : tensor<1x128x80xf32>
}

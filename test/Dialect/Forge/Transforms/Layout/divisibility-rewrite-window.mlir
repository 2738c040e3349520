// RUN: forge-opt %s --forge-divisibility-rewrite=rules=window | FileCheck %s
// RUN: forge-opt %s --forge-divisibility-rewrite=rules=hoist | FileCheck %s --check-prefix=OFF
// RUN: forge-opt %s --forge-divisibility-rewrite="rules=window remarks=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: forge-opt %s --forge-divisibility-rewrite=rules=window --forge-slice-canonicalize | FileCheck %s --check-prefix=OFF
// RUN: not forge-opt %s --forge-divisibility-rewrite=rules=windows 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: [FM2006] unknown rule 'windows'
// WHY: remark: window: only the tiles that the slice overlaps are untilized, tile traffic 688 -> 96

// [80, 160) of 2560 becomes [16, 96) of the whole tiles [64, 160). Aligned slices stay.
// CHECK-LABEL: func.func @window(
// CHECK-DAG: %[[W:.+]] = forge.strided_slice %arg0 dim 2 [64:160]
// CHECK-DAG: %[[A:.+]] = forge.strided_slice %[[W]] dim 2 [16:96]
// CHECK-DAG: %[[B:.+]] = forge.strided_slice %arg0 dim 2 [0:80]
// CHECK-DAG: %[[C:.+]] = forge.strided_slice %arg0 dim 2 [160:320]
// CHECK: return %[[A]], %[[B]], %[[C]]
// OFF-LABEL: func.func @window(
// OFF: [80:
func.func @window(%x: tensor<1x128x2560xf32>) -> (tensor<1x128x80xf32>, tensor<1x128x80xf32>, tensor<1x128x160xf32>) {
  %a = forge.strided_slice %x dim 2 [80:160] : (tensor<1x128x2560xf32>) -> tensor<1x128x80xf32>
  %b = forge.strided_slice %x dim 2 [0:80] : (tensor<1x128x2560xf32>) -> tensor<1x128x80xf32>
  %c = forge.strided_slice %x dim 2 [160:320] : (tensor<1x128x2560xf32>) -> tensor<1x128x160xf32>
  return %a, %b, %c : tensor<1x128x80xf32>, tensor<1x128x80xf32>, tensor<1x128x160xf32>
}

// The whole tiles would be nearly all of the input: nothing is saved.
// CHECK-LABEL: func.func @most_of_it(
// CHECK-NEXT: forge.strided_slice %arg0 dim 2 [80:
// CHECK-NEXT: return
func.func @most_of_it(%x: tensor<1x128x160xf32>) -> tensor<1x128x80xf32> {
  %a = forge.strided_slice %x dim 2 [80:160] : (tensor<1x128x160xf32>) -> tensor<1x128x80xf32>
  return %a : tensor<1x128x80xf32>
}

// The slice has a step.
// CHECK-LABEL: func.func @step(
// CHECK-NEXT: %[[W:.+]] = forge.strided_slice %arg0 dim 2 [96:224]
// CHECK-NEXT: forge.strided_slice %[[W]] dim 2 [4:104:2]
func.func @step(%x: tensor<1x128x2560xf32>) -> tensor<1x128x50xf32> {
  %a = forge.strided_slice %x dim 2 [100:200:2] : (tensor<1x128x2560xf32>) -> tensor<1x128x50xf32>
  return %a : tensor<1x128x50xf32>
}

// On the CPU, tensors have no tiles.
// CHECK-LABEL: func.func @host(
// CHECK-NEXT: forge.strided_slice %arg0 dim 2 [80:
// CHECK-NEXT: return
func.func @host(%x: tensor<1x128x2560xf32>) -> tensor<1x128x80xf32> attributes {forge.partition = "cpu"} {
  %a = forge.strided_slice %x dim 2 [80:160] : (tensor<1x128x2560xf32>) -> tensor<1x128x80xf32>
  return %a : tensor<1x128x80xf32>
}

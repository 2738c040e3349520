// Only the first rewrites of all passes are applied, in the same order in each run. Rewrites that every program needs
// are not counted.

// RUN: forge-opt %s --forge-lower-split --forge-merge-equal --forge-kernel-forms --forge-rewrite-limit=-1 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: forge-opt %s --forge-lower-split --forge-merge-equal --forge-kernel-forms --forge-rewrite-limit=2 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: forge-opt %s --forge-lower-split --forge-merge-equal --forge-kernel-forms --forge-rewrite-limit=0 2>&1 | FileCheck %s --check-prefix=NONE

// ALL:      rewrite 1: --forge-merge-equal, ops-merged, of 'forge.relu' of node '/second'
// ALL-NEXT: rewrite 2: --forge-kernel-forms, biases-fused, of 'forge.add'
// ALL-NEXT: rewrite 3: --forge-merge-equal, ops-merged, of 'forge.tanh'
// ALL-NEXT: rewrite 4: --forge-kernel-forms, biases-fused, of 'forge.add'
// ALL-NOT:  {{^}}rewrite

// TWO:      rewrite 1: --forge-merge-equal
// TWO-NEXT: rewrite 2: --forge-kernel-forms
// TWO-NOT:  {{^}}rewrite

// NONE-NOT: {{^}}rewrite

func.func @first(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x2xf32>) {
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = forge.add %0, %b : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %2 = forge.relu %1 : tensor<4x4xf32>
  %3 = forge.relu %1 : tensor<4x4xf32> loc("/second")
  %4:2 = forge.split %3 dim 1 sizes [2, 2] : (tensor<4x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>)
  return %2, %3, %4#0 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x2xf32>
}

// ALL-LABEL:  func.func @first
// ALL:          forge.matmul %{{.*}}, %{{.*}}, %{{.*}}
// ALL:          forge.relu
// ALL-NOT:      forge.relu
// ALL:          forge.strided_slice
// TWO-LABEL:  func.func @first
// TWO-NOT:      forge.add
// NONE-LABEL: func.func @first
// NONE:         forge.add
// NONE:         forge.relu
// NONE:         forge.relu
// NONE:         forge.strided_slice

func.func @second(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = forge.add %0, %b : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %2 = forge.tanh %1 : tensor<4x4xf32>
  %3 = forge.tanh %1 : tensor<4x4xf32>
  return %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// TWO-LABEL:  func.func @second
// TWO:          forge.add
// TWO:          forge.tanh
// TWO:          forge.tanh

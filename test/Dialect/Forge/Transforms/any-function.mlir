// Every pass accepts any function: declarations, functions without ops, and functions of several blocks, whose ops it
// does not move from one block to another.

// RUN: forge-opt %s --allow-unregistered-dialect --forge-check-integers | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-lower-integers | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-simplify-arithmetic | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-fuse-patterns | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-lower-split | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-slice-canonicalize | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-divisibility-rewrite | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-lower-strided-slice | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-join-recurrent | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-device-forms | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-merge-equal | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-join-movement | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-join-movement=chains | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-fold-weights | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-join-convolutions | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-channels-last | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-centre-norms | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-kernel-forms | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-pixel-rows | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-head-rows | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-column-products=fast-math=all | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-join-projections | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-join-slices | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-separate-products | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-convolution-pads | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-write-flat | FileCheck %s
// RUN: forge-opt %s --allow-unregistered-dialect --forge-classify-slices | FileCheck %s

// Passes that need one block, or static shapes, report it.
// RUN: not forge-opt %s --allow-unregistered-dialect --forge-fill-tile-padding 2>&1 | FileCheck %s --check-prefix=FILL
// RUN: not forge-opt %s --allow-unregistered-dialect --forge-verify-emittable 2>&1 | FileCheck %s --check-prefix=EMIT
// RUN: not forge-opt %s --allow-unregistered-dialect --forge-float-format=float-format=bfloat16 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not forge-opt %s --allow-unregistered-dialect --forge-legalize-types 2>&1 | FileCheck %s --check-prefix=TYPES
// FILL: error: [FM2002] expected a function of one block for --forge-fill-tile-padding
// FORMAT: error: [FM2002] expected a function of one block for --forge-float-format
// TYPES: error: [FM2002] expected a function of one block for --forge-legalize-types
// EMIT: error: [FM2002] expected a function of one block for --forge-verify-emittable

// CHECK: func.func private @declaration
func.func private @declaration(tensor<2xf32>) -> tensor<2xf32>

// CHECK: func.func @empty
func.func @empty() {
  return
}

// CHECK: func.func @unknown
func.func @unknown(%x: tensor<*xf32>, %y: tensor<?x2xf32>) -> (tensor<*xf32>, tensor<?x2xf32>) {
  return %x, %y : tensor<*xf32>, tensor<?x2xf32>
}

// CHECK-LABEL: func.func @blocks
//       CHECK:   %[[P:.+]] = forge.matmul %arg0
//       CHECK:   "test.branch"
//       CHECK:   %[[S:.+]] = forge.multiply %[[P]]
//       CHECK:   "test.branch"
//       CHECK:   forge.relu %[[S]]
func.func @blocks(%x: tensor<2x8xf32>, %c: i1) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %s = forge.parameter "s" : tensor<4xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  "test.branch"(%c)[^first] : (i1) -> ()
^first:
  %1 = forge.multiply %0, %s : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  "test.branch"(%c)[^first, ^second] : (i1) -> ()
^second:
  %2 = forge.relu %1 : tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

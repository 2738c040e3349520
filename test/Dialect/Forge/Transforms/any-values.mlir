// Every pass accepts any function: with values that are not tensors, and with ops that have regions, which may be
// symbol tables.

// RUN: forge-opt %s --allow-unregistered-dialect --forge-normalize-import | FileCheck %s
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

// RUN: not forge-opt %s --allow-unregistered-dialect --forge-fill-tile-padding 2>&1 | FileCheck %s --check-prefix=FILL
// RUN: not forge-opt %s --allow-unregistered-dialect --forge-float-format=float-format=bfloat16 2>&1 | FileCheck %s --check-prefix=FORMAT
// FILL: error: [FM2002] expected tensors of known shape for --forge-fill-tile-padding, but got 'none'
// FORMAT: error: [FM2002] expected tensors of known shape for --forge-float-format, but got 'none'

// CHECK: func.func private @declaration
func.func private @declaration(tensor<2xf32>) -> tensor<2xf32>

// An unregistered op that may be a symbol table.
"test.table"() ({
  "test.refers"() {to = @declaration} : () -> ()
}) : () -> ()

// A value that is not a tensor, and an op with a region.
// CHECK-LABEL: func.func @non_tensor_and_region
//       CHECK:   %[[N:.+]] = "test.none"
//       CHECK:   "test.region"(%[[N]])
//       CHECK:   forge.relu
func.func @non_tensor_and_region(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = "test.none"() : () -> none
  %1 = "test.region"(%0) ({
    "test.inner"(%x) : (tensor<1x2x4x4xf32>) -> ()
  }) : (none) -> tensor<1x2x4x4xf32>
  %2 = forge.relu %1 : tensor<1x2x4x4xf32>
  return %2 : tensor<1x2x4x4xf32>
}

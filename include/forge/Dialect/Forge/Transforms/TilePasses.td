//===- TilePasses.td - passes on the tiles of values --------------*- tablegen -*-===//
//
// Included by Passes.td. The report and the classes do not change a program; the rewrites keep its results.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_TILEPASSES
#define FORGE_DIALECT_FORGE_TRANSFORMS_TILEPASSES

include "mlir/Pass/PassBase.td"

defvar formatOption = Option<"format", "format", "std::string", "\"\"",
                             "the format of floats on the device, such as bf16 or bfp8; by default, the types of the values">;

def ForgeTileLayoutReportPass : Pass<"forge-tile-layout-report", "::mlir::ModuleOp"> {
  let summary = "report the sizes of values in tiles";
  let description = [{
    For each value of a function for the device, the report has:

    - the shape in whole tiles, the number of tiles, the bytes and the padding
    - the comparisons of indices with bounds (*predicates*) that distinguish elements from padding
    - for a slice, its [class](../divisibility.md#slices), and the numbers of tiles that it reads and writes

    The report is printed as remarks, or written as JSON. There is one remark or JSON object for each value, and one
    with the totals. The JSON also says what each padding contains: `none` (there is no padding), a constant, `finite`
    (finite numbers), or `undef` (unknown).
  }];
  let options = [
    Option<"json", "json", "std::string", "\"\"", "the file for the report as JSON; - is stdout">,
    Option<"remarks", "remarks", "bool", "true", "print a remark for each value, and one with the totals">,
    targetOption,
    formatOption
  ];
}

def ForgeClassifySlicesPass : Pass<"forge-classify-slices", "::mlir::func::FuncOp"> {
  let summary = "classify slices by tile alignment";
  let description = [{
    Sets the attribute `forge.slice_class` on forge.strided_slice and forge.index.
    [Divisibility](../divisibility.md#slices) defines the classes. No later pass reads the attribute.
  }];
  let options = [formatOption];
}

def ForgeSliceCanonicalizePass : Pass<"forge-slice-canonicalize", "::mlir::func::FuncOp"> {
  let summary = "canonicalize slices, and remove unnecessary ones";
  let description = [{
    - A slice of several axes becomes one forge.strided_slice for each axis. Bounds beyond an axis are clamped to it.
    - A slice of a whole axis is removed.
    - A slice of a slice becomes one slice.
    - A concatenation of neighbouring slices becomes the slice that covers them. This is also done if the same
      elementwise ops, transposes or reshapes are applied to each slice before the concatenation.

    Do not run this pass after --forge-divisibility-rewrite, because it would revert the rule `window`.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeDivisibilityRewritePass : Pass<"forge-divisibility-rewrite", "::mlir::func::FuncOp"> {
  let summary = "align slices with tiles, or remove them";
  let description = [{
    Runs after --forge-slice-canonicalize. The pass has these rules, and applies them where the program then moves fewer
    tiles:

    - `pad-weights`: the size of each attention head is increased to a multiple of 32. The weights that produce the
      heads get columns of zeros, and the weights that read them get rows of zeros. All ops in between have to preserve
      zeros.
    - `split-weights`: slices of a product with a weight become products with parts of this weight.
    - `regroup`: if neighbouring slices are each the operand of a product with a weight, all these products read one
      larger slice of whole tiles instead. The weight of a product gets rows of zeros for the columns of the other
      slices.
    - `sink`: slices are moved after reshapes and transposes that are applied to all of them.
    - `hoist`: slices are moved before reshapes and transposes.
    - `window`: a slice that begins inside a tile is taken from the smallest slice of whole tiles that contains it.

    Results are equal up to rounding. `pad-weights` and `regroup` assume that all elements are finite, because zero
    times infinity is NaN.
  }];
  let options = [
    Option<"maxWeightGrowth", "max-weight-growth", "double", "1.25", "the largest permitted factor by which padding enlarges a weight; by default 1.25">,
    ListOption<"rules", "rules", "std::string", "the rules that may be applied; by default, all">,
    Option<"remarks", "remarks", "bool", "false", "print a remark for each rewrite, with its rule and the numbers of moved tiles">,
    formatOption
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeFillTilePaddingPass : Pass<"forge-fill-tile-padding", "::mlir::func::FuncOp"> {
  let summary = "fill tile padding that kernels read";
  let description = [{
    Kernels compute on whole tiles. Therefore a softmax, a reduction or a matrix product may read the padding after the
    last element. If this may change the result, the pass inserts a *fill* before the op: a forge.pad to the next
    multiple of 32, with a value that does not change the result. If the padded axis remains in the result, a
    forge.index removes its padding.

    Means and layer norms become several ops, which may round differently. The results of other ops do not change. [Tile
    padding](../tile-padding.md) lists the fill of each op, the values of the option `target`, and the limits of the
    pass.

    ```mlir
    %e = forge.exp %x : tensor<1x10xf32>
    %p = forge.pad %e pad [0, 22] mode constant value 0.0 : (tensor<1x10xf32>) -> tensor<1x32xf32>
    %s = forge.reduce_sum %p dim -1 keep_dim : (tensor<1x32xf32>) -> tensor<1x1xf32>
    ```
  }];
  let options = [
    targetOption,
    formatOption,
    Option<"explain", "explain", "bool", "false", "print a remark for each requirement of an op, and one with the totals as JSON">,
    Option<"annotate", "annotate", "bool", "false",
           "attach to each result the contents of its padding, as the attribute forge.padding; mark fills by the attribute forge.fill">
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

#endif

//===- TilePasses.td - passes on the tiles of values --------------*- tablegen -*-===//
//
// Included by Passes.td. The report and the classes do not change a program; the rewrites keep its results.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_TILEPASSES
#define FORGE_DIALECT_FORGE_TRANSFORMS_TILEPASSES

include "mlir/Pass/PassBase.td"

defvar formatOption = Option<"format", "format", "std::string", "\"\"",
                             "format of floats on the device (f32, f16, bf16, bfp8, ...); by default their types">;

def ForgeTileLayoutReportPass : Pass<"forge-tile-layout-report", "::mlir::ModuleOp"> {
  let summary = "report the sizes of values in tiles";
  let description = [{
    For each value of a device function, the report has:

    - the padded shape, the number of tiles, the bytes and the padding
    - the predicates that separate the elements from the padding
    - for a slice, its [class](../divisibility.md#slices), and the tiles that it reads and writes

    The report is printed as remarks or as JSON. The JSON has one flat object for each value, and one object with
    totals. It also has the contents of the padding of each value: none, a constant, finite, or undef (unknown).
  }];
  let options = [
    Option<"json", "json", "std::string", "\"\"", "file for the report, - for stdout">,
    Option<"remarks", "remarks", "bool", "true", "print a remark for each value, and one with totals">,
    targetOption,
    formatOption
  ];
}

def ForgeClassifySlicesPass : Pass<"forge-classify-slices", "::mlir::func::FuncOp"> {
  let summary = "classify slices by tile alignment";
  let description = [{
    Sets the attribute `forge.slice_class` on forge.strided_slice and forge.index.
    [Divisibility](../divisibility.md#slices) defines the classes. A slice of several axes or with a negative stride
    gets no class, unless it is empty. Later passes and the emitter ignore the attribute.
  }];
  let options = [formatOption];
}

def ForgeSliceCanonicalizePass : Pass<"forge-slice-canonicalize", "::mlir::func::FuncOp"> {
  let summary = "canonicalize slices, and remove unnecessary ones";
  let description = [{
    - A slice of several axes becomes one forge.strided_slice with clamped bounds for each axis.
    - A slice of a whole axis is removed.
    - A slice of a slice becomes one slice.
    - A concatenation of neighbouring slices is removed, also if equal elementwise ops, transposes or reshapes are
      applied to each slice before the concatenation.

    The pass does not consider tiles. After --forge-divisibility-rewrite, it would revert the rule `window`.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeDivisibilityRewritePass : Pass<"forge-divisibility-rewrite", "::mlir::func::FuncOp"> {
  let summary = "align slices with tiles, or remove them";
  let description = [{
    Runs after --forge-slice-canonicalize. A rule is applied only if the program then moves fewer tiles. Results are
    equal up to rounding, because the shapes of products change. `pad-weights` and `regroup` assume that elements are
    finite, because zero times infinity is NaN.

    - `pad-weights`: if the size of a head is not a multiple of 32, the weights that produce the heads get zero columns,
      and the weights that read them get zero rows. All ops in between have to preserve zeros.
    - `split-weights`: slices of a product with a weight become products with parts of that weight.
    - `regroup`: neighbouring slices that are multiplied by weights become one slice of whole tiles. The weights get
      zero rows for the elements of the other slices.
    - `sink`: slices are sunk across reshapes and transposes that apply to all of them.
    - `hoist`: slices are hoisted across reshapes and transposes. If a reshape splits an axis, a slice of size 1 of the
      trailing part becomes a strided slice of the unsplit axis.
    - `window`: a misaligned slice is taken from the smallest slice of whole tiles that contains it.
  }];
  let options = [
    Option<"maxWeightGrowth", "max-weight-growth", "double", "1.25", "largest factor by which padding may enlarge a weight; by default 1.25">,
    ListOption<"rules", "rules", "std::string", "the rules to use; all by default">,
    Option<"remarks", "remarks", "bool", "false", "print a remark for each rewrite, with the rule and the number of moved tiles">,
    formatOption
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeFillTilePaddingPass : Pass<"forge-fill-tile-padding", "::mlir::func::FuncOp"> {
  let summary = "fill tile padding that kernels read";
  let description = [{
    Kernels read whole tiles. A softmax, a reduction or a matrix product may read the padding after the last element. If
    the contents of this padding may change the result, the pass inserts a fill: a forge.pad to the next multiple of 32,
    with the neutral element of the op. If the result of the op still has the padded axis, a forge.index slices the
    result. Means and layer norms become several ops, which may round differently. Other results are equal.

    [Tile padding](../tile-padding.md) has the fill of each op, the targets, and the limits of the pass.

    ```mlir
    %e = forge.exp %x : tensor<1x10xf32>
    %p = forge.pad %e pad [0, 22] mode constant value 0.0 : (tensor<1x10xf32>) -> tensor<1x32xf32>
    %s = forge.reduce_sum %p dim -1 keep_dim : (tensor<1x32xf32>) -> tensor<1x1xf32>
    ```
  }];
  let options = [
    targetOption,
    Option<"format", "format", "std::string", "\"\"", "storage format of floats: bfp8, bfp4, bfp2; by default their types">,
    Option<"explain", "explain", "bool", "false", "print a remark for every requirement, and totals as JSON">,
    Option<"annotate", "annotate", "bool", "false",
           "attach the contents of the padding of each result as the attribute forge.padding, and mark fills with forge.fill">
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

#endif

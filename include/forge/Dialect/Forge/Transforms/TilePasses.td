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
    For each value of a device function: the padded shape, the number of tiles, bytes, padding, and the predicates
    that separate elements from padding; for a slice also its class and the tiles that it reads and writes. The
    report is printed as remarks, or as JSON with one flat object for each value, which also has the contents of
    each region of padding (none, a constant, finite, undef), and one object with totals.
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
    Sets `forge.slice_class` on forge.strided_slice and forge.index: IDENTITY, EMPTY, TILE_VIEW (whole tiles),
    TILE_VIEW_DIRTY (whole tiles of which the last has elements of a neighbour), RETILE_NOC, RETILE and
    RETILE_STRIDED (elements move within tiles); docs/divisibility.md defines these classes. Later passes and the
    emitter ignore the attribute. Slices of several axes and backward slices get no class.
  }];
  let options = [formatOption];
}

def ForgeSliceCanonicalizePass : Pass<"forge-slice-canonicalize", "::mlir::func::FuncOp"> {
  let summary = "canonicalize slices, and remove unnecessary ones";
  let description = [{
    Splits slices, so that each forge.strided_slice has one axis and clamped bounds; removes slices of a whole axis;
    composes slices of slices; and removes concatenations of neighbouring slices, also with equal elementwise ops,
    transposes or reshapes in between. It does not consider tiles, and reverts the `window` rule of
    --forge-divisibility-rewrite.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeDivisibilityRewritePass : Pass<"forge-divisibility-rewrite", "::mlir::func::FuncOp"> {
  let summary = "align slices with tiles, or remove them";
  let description = [{
    Runs after --forge-slice-canonicalize. Each rule is applied only if the program then moves fewer tiles. Results
    are equal up to rounding, because products get other shapes. `pad-weights`
    and `regroup` assume that elements are finite, because zero times infinity is not zero.

    * `pad-weights`: heads that are not a multiple of the tile get zero columns in the weights that produce them,
      and zero rows in the weights that read them, if all ops between them preserve zeros.
    * `split-weights`: slices of a product with a weight become products with parts of that weight.
    * `regroup`: products of neighbouring slices with weights read one slice of whole tiles; the weights get zero
      rows for the elements of the other slices.
    * `sink`: slices are sunk across reshapes and transposes that apply to all of them.
    * `hoist`: slices are hoisted across reshapes and transposes; a slice of size 1 of the trailing part of an axis that
      a reshape has split becomes a strided slice of the unsplit axis.
    * `window`: a misaligned slice is taken from the smallest slice of whole tiles that contains it.

    Parts of weights are computed when the weights file is written, as all arithmetic on weights.
  }];
  let options = [
    Option<"maxWeightGrowth", "max-weight-growth", "double", "1.25", "largest factor by which padding may enlarge a weight">,
    ListOption<"rules", "rules", "std::string", "the rules to use; all by default">,
    Option<"remarks", "remarks", "bool", "false", "print a remark for each rewrite: the rule, and the tile traffic">,
    formatOption
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeFillTilePaddingPass : Pass<"forge-fill-tile-padding", "::mlir::func::FuncOp"> {
  let summary = "fill tile padding that kernels read";
  let description = [{
    Tensors are stored in tiles of 32 x 32 elements, and kernels read whole tiles. If a softmax, a reduction or a
    matrix product would read the padding after the last element, and its contents may change the result, a fill is
    inserted: a forge.pad to the next multiple of the tile with the neutral element of the op, and, if the op keeps
    the axis, a forge.index that slices its result. Results are equal up to the rounding of a mean that becomes a
    sum and a division.

    Targets: `ttnn-conservative` masks nothing itself, `ttnn-self-masking` masks what TTNN's sources mask, `none`
    reads no padding. With a block float `format`, only 0 and copies of elements are used as fills. Elements are
    assumed to be finite. The pass must run only once: it does not know the padding of the results that it has sliced.

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
           "attach the contents of the padding of each result as forge.padding, and mark fills with forge.fill">
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

#endif

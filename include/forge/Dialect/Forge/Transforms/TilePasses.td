//===- TilePasses.td - passes on the tiles of values --------------*- tablegen -*-===//
//
// Included by Passes.td. Neither a report nor a class changes what a program computes; the rewrites keep its results.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_TILEPASSES
#define FORGE_DIALECT_FORGE_TRANSFORMS_TILEPASSES

include "mlir/Pass/PassBase.td"

defvar formatOption = Option<"format", "format", "std::string", "\"\"",
                             "how the device holds floats (f32, f16, bf16, bfp8, ...); as their type says by default">;

def ForgeTileLayoutReportPass : Pass<"forge-tile-layout-report", "::mlir::ModuleOp"> {
  let summary = "tell what every value takes in tiles of 32 x 32";
  let description = [{
    Per value of device functions: the padded shape, tiles, bytes, padding, and the predicates that tell elements from padding;
    for a slice also its class and the tiles that it reads and writes. As remarks, and as JSON with one flat object per
    value, which has what each region of its padding holds (none, a constant, finite, undef) too, and one with totals.
  }];
  let options = [
    Option<"json", "json", "std::string", "\"\"", "file for the report, - for stdout">,
    Option<"remarks", "remarks", "bool", "true", "one remark per value, and one with totals">,
    targetOption,
    formatOption
  ];
}

def ForgeClassifySlicesPass : Pass<"forge-classify-slices", "::mlir::func::FuncOp"> {
  let summary = "say of every slice what it is in tiles";
  let description = [{
    Sets `forge.slice_class` on forge.strided_slice and forge.index: IDENTITY, EMPTY, TILE_VIEW (whole tiles),
    TILE_VIEW_DIRTY (whole tiles that end with elements of a neighbour), RETILE_NOC, RETILE and RETILE_STRIDED (elements move
    inside tiles). Later passes and the emitter ignore it. Slices of several axes, or backwards, get none.
  }];
  let options = [formatOption];
}

def ForgeSliceCanonicalizePass : Pass<"forge-slice-canonicalize", "::mlir::func::FuncOp"> {
  let summary = "write slices one way, and drop those that nothing needs";
  let description = [{
    One axis per forge.strided_slice, with clamped bounds; no slice of a whole axis; one slice instead of a slice of a
    slice; and no concatenation of neighbouring slices, also where the same elementwise ops, transposes or reshapes stand
    between. Knows nothing of tiles, and undoes the windows of --forge-divisibility-rewrite.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeDivisibilityRewritePass : Pass<"forge-divisibility-rewrite", "::mlir::func::FuncOp"> {
  let summary = "move fewer tiles: slices at tile boundaries, or none";
  let description = [{
    Expects --forge-slice-canonicalize before it. Each rule keeps the results (of weights it makes parts: rounding may
    differ, as products have other shapes; the first and third count elements as finite, for zero times infinity is not
    zero) and is used only where the model of tile traffic counts fewer tiles:

    * `pad-weights`: heads that are no whole tiles get zero columns in their weights, and zero rows in the weights that
      read them, where all ops between tolerate zeros.
    * `split-weights`: slices of a product with a constant matrix become products with parts of that matrix.
    * `regroup`: products of neighbouring pieces with constant matrices read one slice of whole tiles; their matrices get
      zero rows for the elements of the others.
    * `sink`: slices move down through reshapes and transposes that all of them get.
    * `hoist`: slices move up through reshapes and transposes; one element of an inner digit becomes a strided slice.
    * `window`: a misaligned slice is taken from the whole tiles around it.

    Parts of weights are made when the weights are written, as all that depends on weights alone.
  }];
  let options = [
    Option<"maxWeightGrowth", "max-weight-growth", "double", "1.25", "most by which padding heads may enlarge a weight">,
    ListOption<"rules", "rules", "std::string", "the rules to use; all by default">,
    Option<"remarks", "remarks", "bool", "false", "one remark per rewrite: the rule, and the tile traffic">,
    formatOption
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeFillTilePaddingPass : Pass<"forge-fill-tile-padding", "::mlir::func::FuncOp"> {
  let summary = "fill tile padding that a reader would take for elements";
  let description = [{
    Tensors are stored in tiles of 32 x 32, and kernels read whole tiles. Where a softmax, a reduction or a matrix product
    would read what lies after the last element, and that is not known to be harmless, a fill is inserted: a forge.pad to
    the next multiple of the tile with the reader's neutral element, and a forge.index that cuts the result back where it
    keeps the axis. Results stay what they were, up to the rounding of a mean that becomes a sum and a division.

    Targets: `ttnn-conservative` masks nothing by itself, `ttnn-self-masking` does what TTNN's sources say, `none` reads
    no padding. With `format` floats count as stored in block floats, for which 0 and copies of elements are the only fills.
    Elements count as finite. The pass runs once: on its own result it would not know what its cuts left in the padding.

    ```mlir
    %e = forge.exp %x : tensor<1x10xf32>
    %p = forge.pad %e pad [0, 22] mode constant value 0.0 : (tensor<1x10xf32>) -> tensor<1x32xf32>
    %s = forge.reduce_sum %p dim -1 keep_dim : (tensor<1x32xf32>) -> tensor<1x1xf32>
    ```
  }];
  let options = [
    targetOption,
    Option<"format", "format", "std::string", "\"\"", "how floats are stored: bfp8, bfp4, bfp2, or as they are">,
    Option<"explain", "explain", "bool", "false", "remarks on every requirement, and the totals as JSON">,
    Option<"annotate", "annotate", "bool", "false",
           "attach the state of each result's padding as forge.padding, and mark fills with forge.fill">
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

#endif

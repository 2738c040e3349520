//===- Passes.td - passes on the forge dialect --------------------*- tablegen -*-===//
//
// Passes that convert, legalise and lay out values; FusionPasses.td and TilePasses.td have others. Each file is in the
// order of the pipeline; docs/pipeline.md has the order of all passes.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_PASSES_TD
#define FORGE_DIALECT_FORGE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

defvar fastMathOption = ListOption<"fastMath", "fast-math", "std::string",
                                   "kinds of rewrites that may change float results: no-nans, no-infs, reciprocal, reassociate, zero-products, all">;

defvar exactOption = Option<"exact", "exact", "bool", "false", "apply only rewrites that keep every bit of the results">;

defvar targetOption = Option<"target", "target", "std::string", "\"ttnn-conservative\"",
                             "which tile padding the device masks itself: ttnn-conservative (none, the default), ttnn-self-masking (what TTNN's sources mask) or none (kernels read no padding)">;

def ForgeCheckIntegersPass : Pass<"forge-check-integers", "::mlir::func::FuncOp"> {
  let summary = "find integer arithmetic that may overflow Int32";
  let description = [{
    The device computes integers in Int32. This pass computes an interval for the elements of every value, by the
    `range` rules in the records of the ops. An interval follows from constants, types, shapes, and the ranges of inputs
    that the user states (`forge.range` on an argument). Arithmetic whose interval fits Int32 is proven.

    With `mode=checked`, the pass prints a remark for each ONNX node with unproven arithmetic. The remark lists the
    inputs that have no bound. With `mode=proven`, unproven arithmetic is an error.

    Nothing has to be proven where ONNX does not define a result, as for an index outside its axis, and for the cast to
    int32 of a float that does not fit int32.
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"checked\"", "checked (the default): remarks; proven: errors">,
    Option<"annotate", "annotate", "bool", "false", "attach the interval of its results to every op, as the attribute forge.interval">
  ];
}

def ForgeLowerIntegersPass : Pass<"forge-lower-integers", "::mlir::func::FuncOp"> {
  let summary = "lower forge.quotient and forge.wrap_index, and fold by intervals";
  let description = [{
    Uses the intervals of --forge-check-integers, except those that depend on unproven arithmetic.

    - An integer with one possible value becomes a constant.
    - A minimum, maximum or selection that always gives the same operand is replaced by that operand.
    - A forge.quotient becomes two float divisions and a correction. If the quotient fits Int32, all intermediate
      results fit, too.
    - A forge.wrap_index of indices that cannot be negative is replaced by these indices. If the indices are an input of
      the model, it becomes a forge.remainder by the size of the axis; `forge_mlir.run` checks such inputs. In other
      cases the size of the axis is added to negative indices.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeSimplifyArithmeticPass : Pass<"forge-simplify-arithmetic", "::mlir::func::FuncOp"> {
  let summary = "remove arithmetic that does not change values";
  let description = [{
    The pass computes for every value an interval of its elements, whether the elements are integers, and whether they
    can be NaN or infinite. These rewrites keep every bit of the results:

    - Tests for NaN or infinity are folded if their result is known, and so are the selections that use them.
    - Clips and ReLUs of values that are known to be within the bounds, and subtractions of zero, are removed.
    - Casts of integer-valued floats to integers and back to floats are removed, also if a zero point is added between
      the casts. A QuantizeLinear and the DequantizeLinear after it become a division, a clip, the rounding and a
      multiplication.
    - A division by a power of two becomes a multiplication.
    - Multiplications by 1 are removed, and so are sums, means and maxima over an axis of size 1.

    The option `fast-math` permits three more rewrites. With `no-nans`, tests for NaN are assumed to be false. With
    `no-infs`, tests for infinity are assumed to be false. With `reciprocal`, a division by a weight becomes a
    multiplication by its reciprocal.

    ```mlir
    %i = forge.cast %whole dtype i32 : (tensor<8xf32>) -> tensor<8xi32>
    %f = forge.cast %i dtype f32 : (tensor<8xi32>) -> tensor<8xf32>
    // becomes %whole
    ```
  }];
  let options = [fastMathOption];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeLowerSplitPass : Pass<"forge-lower-split", "::mlir::func::FuncOp"> {
  let summary = "lower forge.split to one forge.strided_slice for each used result";
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeLowerStridedSlicePass : Pass<"forge-lower-strided-slice", "::mlir::func::FuncOp"> {
  let summary = "lower forge.strided_slice to one forge.index for each axis";
  let description = [{
    Bounds are clamped to the size of the axis. A slice of a whole axis is removed. An empty slice becomes an empty
    constant. A slice with a negative stride becomes a forge.adv_index with descending indices.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeDeviceFormsPass : Pass<"forge-device-forms", "::mlir::func::FuncOp"> {
  let summary = "replace calls that the device's compiler refuses";
  let description = [{
    The table of [device limits](../device-limits.md) lists the Forge calls that Tenstorrent's compiler refuses, and the
    calls that replace them. This pass makes these replacements, except those for which the table names another pass.
    Results are equal up to rounding.

    ```mlir
    %y = forge.batchnorm %x, %scale, %bias, %mean, %var epsilon 1.0e-5 : ...
    // becomes
    %s = forge.multiply %x, %factor : ...     // %factor and %offset are computed from the weights: no call
    %y = forge.add %s, %offset : ...
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeLegalizeTypesPass : Pass<"forge-legalize-types", "::mlir::func::FuncOp"> {
  let summary = "convert element types and scalars to types of Forge";
  let description = [{
    f64 becomes f32. Booleans and all integers become i32. Rank 0 becomes shape [1]. f32, f16 and bf16 are unchanged. A
    cast to i1 becomes a comparison with 0, unless its operand is always 0 or 1. A constant that does not fit its new
    type is an error.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeChannelsLastPass : Pass<"forge-channels-last", "::mlir::func::FuncOp"> {
  let summary = "convert convolutions and the ops between them to channels last";
  let description = [{
    The device computes convolutions, pools and resizes with channels last. If one of these ops has channels first, the
    device's compiler adds transposes around it. This pass sets `channel_last` on these ops. It also permutes the ops
    between them that work with any order of axes: elementwise ops, concatenations, slices, reductions, and reshapes of
    the spatial axes. Transposes remain where an op fixes the order of the axes: at inputs and outputs, and before
    matrix products. The pass does not change a function whose [cost](../cost.md) would not decrease.

    Three other rewrites let more ops have channels last:

    - A group norm merges the channels of a group with the pixels. With channels last, these axes are not adjacent.
      Therefore the mean of a group is computed as the mean of the means of its channels, and repeated for each channel.
    - The reshapes of a channel shuffle split and merge the trailing axis instead of the axis after the batch axis.
    - A reshape from rows of pixels to an image is sunk across elementwise ops with weights.

    ```mlir
    %y = forge.conv2d %x, %w ... : (tensor<1x3x8x8xf32>, ...) -> tensor<1x4x8x8xf32>
    // becomes, between two pairs of transposes,
    %y = forge.conv2d %t, %w ... channel_last : (tensor<1x8x8x3xf32>, ...) -> tensor<1x8x8x4xf32>
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeConvolutionPadsPass : Pass<"forge-convolution-pads", "::mlir::func::FuncOp"> {
  let summary = "replace pads by the padding of convolutions or by concatenations";
  let description = [{
    If all users of a constant pad are convolutions, Tenstorrent's compiler fuses the pad into them, and stops at a
    failed assertion. A pad of height and width with zeros becomes the padding of the convolutions that use it. A pad of
    channels, or with another value, becomes concatenations with constants if all of its users are convolutions.

    ```mlir
    %p = forge.pad %x pad [1, 2] mode constant value 0.0 : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x11xf32>
    %y = forge.conv2d %p, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x9xf32>
    // becomes
    %y = forge.conv2d %x, %w stride [1, 1] padding [0, 1, 0, 2] : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x9xf32>
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgePixelRowsPass : Pass<"forge-pixel-rows", "::mlir::func::FuncOp"> {
  let summary = "compute on rows of pixels between convolutions";
  let description = [{
    The device computes convolutions and pools on rows of pixels, `[N, 1, H * W, C]`. Tile padding makes an image
    `[1, 7, 7, C]` 4.6 times as large, and its rows of pixels, `[1, 1, 49, C]`, 1.3 times as large. Therefore ops that
    compute each pixel independently are computed on rows of pixels, if the estimated time, including that of reshapes,
    decreases. Such ops are elementwise ops, products with a matrix, and concatenations of channels. The mean of an
    image becomes one mean of its rows.

    ```mlir
    %a = forge.conv2d %x, %w ... channel_last : ... -> tensor<1x7x7x64xf32>
    %b = forge.add %a, %y : (tensor<1x7x7x64xf32>, tensor<1x7x7x64xf32>) -> tensor<1x7x7x64xf32>
    // becomes
    %r = forge.reshape %a shape [1, 1, 49, 64] : (tensor<1x7x7x64xf32>) -> tensor<1x1x49x64xf32>
    %s = forge.add %r, %q : (tensor<1x1x49x64xf32>, tensor<1x1x49x64xf32>) -> tensor<1x1x49x64xf32>
    %b = forge.reshape %s shape [1, 7, 7, 64] : (tensor<1x1x49x64xf32>) -> tensor<1x7x7x64xf32>
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeHeadRowsPass : Pass<"forge-head-rows", "::mlir::func::FuncOp"> {
  let summary = "reduce the tile padding of reshapes and transposes, as of attention heads";
  let description = [{
    Some reshapes and transposes write tensors that are mostly tile padding. Unless another condition is stated, these
    rewrites are applied if the estimated time decreases:

    - *Heads.* A reshape of columns to heads, `[N, H * D]` to `[N, H, D]`, pads H to a multiple of 32: 3 heads take the
      memory of 32. Instead, the columns are transposed first, and the reshape splits rows, `[H * D, N]` to `[H, D, N]`.
      A transpose of each head remains. The device's compiler fuses it into the product that reads the head.
    - *Merged heads.* The heads of the result of an attention are merged by the inverse sequence, which starts from
      `[H, D, N]`. The last product of the attention computes this form if its operands are exchanged: (A B)^T =
      B^T A^T.
    - *Channel shuffles.* A shuffle is a reshape to `[..., G, C]`, a transpose, and a reshape to `[..., C * G]`. It
      becomes a shuffle of the rows of the transposed matrix, followed by a transpose.
    - *Shuffles before depthwise convolutions.* The convolution is computed before the shuffle, with permuted filters,
      if its result is smaller than the image.
    - *Blocks.* Other reshapes and transposes, as from an image to windows, move contiguous blocks of elements. A block
      is reshaped to the matrix with the least tile padding: 7 pixels of 96 channels to `[21, 32]`, not to `[7, 96]`.
    - *Split rows.* Rows of images that are sliced and concatenated, as in shifted windows, are split into shorter rows,
      if this takes no more kernels: 14 rows of 384 columns into 168 rows of 32.

    ```mlir
    %r = forge.reshape %p shape [64, 49, 3, 32] : (tensor<64x49x96xf32>) -> tensor<64x49x3x32xf32>
    %h = forge.transpose %r dims -3, -2 : (tensor<64x49x3x32xf32>) -> tensor<64x3x49x32xf32>
    // becomes
    %t = forge.transpose %p dims -2, -1 : (tensor<64x49x96xf32>) -> tensor<64x96x49xf32>
    %r = forge.reshape %t shape [64, 3, 32, 49] : (tensor<64x96x49xf32>) -> tensor<64x3x32x49xf32>
    %h = forge.transpose %r dims -2, -1 : (tensor<64x3x32x49xf32>) -> tensor<64x3x49x32xf32>
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeFloatFormatPass : Pass<"forge-float-format", "::mlir::func::FuncOp"> {
  let summary = "compute floats in another format than that of the model";
  let description = [{
    Without `float-format`, this pass changes nothing. With it, ops on floats are computed in this format:

    - Constants are rounded at compile time, and weights when the weights file is written. Arithmetic on weights is
      computed in float64 and rounded at the end. Finite constants are clamped to the range of the format.
    - An input or a cache that is written gets the format as its type if all of its users read it in the format.
    - Outputs are cast to the types that the model declares.

    Some ops are computed in f32: ops whose rounding would change integers or angles, or would affect all later ops, and
    ops that `keep-float32` names. If one operand of a sum, difference, product or quotient is in f32, the result is in
    f32, and the other operand is not cast. [Float formats](../float-formats.md) lists the ops that are computed in f32,
    and has the errors.

    ```mlir
    %y = forge.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %z = forge.exp %y : tensor<2x4xf32>
    // becomes, with float-format=bfloat16,
    %y = forge.matmul %x, %w : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
    %0 = forge.exp %y : tensor<2x4xbf16>
    %z = forge.cast %0 dtype f32 : (tensor<2x4xbf16>) -> tensor<2x4xf32>
    ```
  }];
  let options = [
    Option<"floatFormat", "float-format", "std::string", "\"\"", "float32 or bfloat16 (mixed is the same as bfloat16); if empty, the formats of the model">,
    ListOption<"keepFloat32", "keep-float32", "std::string",
               "names of ONNX nodes, with * and ?, or of ops such as forge.matmul, that compute in f32">,
    Option<"nativeOutputs", "native-outputs", "bool", "false", "outputs keep the format in which they are computed">,
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeSeparateProductsPass : Pass<"forge-separate-products", "::mlir::func::FuncOp"> {
  let summary = "separate products of one left operand that the device's compiler cannot merge";
  let description = [{
    Tenstorrent's compiler merges products with the same left operand into one. If all of them have biases, it
    concatenates the biases along the trailing axis. It refuses the program in two cases, which this pass rewrites:

    - The biases cannot be concatenated: their shapes differ, one is broadcast along the trailing axis, or one is
      computed from the result of another of these products. A bias that is a weight with one element per column is
      reshaped to rank 1. Other additions of biases become subtractions, which that compiler does not fuse; if none of
      the biases is reshaped, the first addition remains. For the subtraction, the bias or the right operand of the
      product is negated.
    - The right operand of one product is computed from another of these products by unary ops. The pass multiplies this
      operand by one.

    The compiler merges only products whose right operands have equal rank. Two separate products may take less time
    than the merged product and its two slices. Then the pass reshapes the right operand of one of them to the rank of
    the left operand, so that the two products are not merged.

    ```mlir
    %0 = forge.matmul %x, %v, %row : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
    %1 = forge.matmul %x, %w, %y : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    // becomes
    %0 = forge.matmul %x, %v, %row : (tensor<4x8xf32>, tensor<8x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
    %2 = forge.matmul %x, %minus_w : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
    %1 = forge.subtract %y, %2 : tensor<4x5xf32>
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeIsolateOutputsPass : Pass<"forge-isolate-outputs", "::mlir::func::FuncOp"> {
  let summary = "give each output its own call";
  let description = [{
    A Forge module cannot return an input, a weight, a constant, or the same tensor twice. For such outputs, a
    forge.identity is inserted.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeWriteFlatPass : Pass<"forge-write-flat", "::mlir::func::FuncOp"> {
  let summary = "mark functions to be printed without methods";
  let description = [{
    By default, equal layers are printed as calls of one method. This pass sets the attribute `forge.flat` on functions,
    which are then printed as sequences of `forge.op` calls.
  }];
}

def ForgeVerifyEmittablePass : Pass<"forge-verify-emittable", "::mlir::ModuleOp"> {
  let summary = "verify that a module can be printed as Forge calls";
  let description = [{
    Checks these conditions:

    - Every op is a weight, a constant, or a Forge call that the device's compiler can lower.
    - All types are types of Forge: f32, f16, bf16 and i32, with rank 1 or more.
    - A cache that is written has no other user.
    - Not all users of a constant pad are convolutions.
    - Every output has its own call.

    An error names the ONNX node. If a pass has to be run first, the error names the pass.
  }];
}

include "forge/Dialect/Forge/Transforms/FusionPasses.td"
include "forge/Dialect/Forge/Transforms/TilePasses.td"

#endif

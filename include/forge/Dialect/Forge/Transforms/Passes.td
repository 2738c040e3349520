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
                                   "rewrites that may change float results: no-nans, no-infs, reciprocal, reassociate, zero-products, all">;

defvar exactOption = Option<"exact", "exact", "bool", "false", "apply only rewrites that keep every bit of the results">;

defvar targetOption = Option<"target", "target", "std::string", "\"ttnn-conservative\"",
                             "what the device masks itself: ttnn-conservative, ttnn-self-masking or none">;

def ForgeCheckIntegersPass : Pass<"forge-check-integers", "::mlir::func::FuncOp"> {
  let summary = "find integer arithmetic that may overflow Int32";
  let description = [{
    The device computes integers in Int32. This pass computes an interval for the elements of every value, from
    constants, types, shapes and the ranges of inputs that the user states (`forge.range` on an argument), by the
    `range` rules in the records of the ops. Arithmetic whose interval fits Int32 is proven. Other arithmetic is
    reported, one remark for each ONNX node with the inputs that have no bound; with `mode=proven` it is an error.

    Where ONNX does not define a result (a float beyond Int32 that is cast to int32, an index outside its axis),
    nothing has to be proven. The pass runs before --forge-lower-integers, because intervals of the steps of a
    division would be too wide.
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"checked\"", "checked: remarks; proven: errors">,
    Option<"annotate", "annotate", "bool", "false", "attach the interval of the results to every op, as forge.interval">
  ];
}

def ForgeLowerIntegersPass : Pass<"forge-lower-integers", "::mlir::func::FuncOp"> {
  let summary = "lower forge.quotient and forge.wrap_index, and fold by intervals";
  let description = [{
    Uses the intervals of --forge-check-integers, except those that depend on unproven arithmetic. An integer with
    one possible value becomes a constant. A minimum, maximum or selection that always gives the same operand is
    replaced by that operand. A quotient becomes two float quotients and a correction; no step leaves Int32 unless
    the result does. An index that cannot be negative is unchanged; for other indices, a selection adds the size of
    the axis if the index is negative.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeSimplifyArithmeticPass : Pass<"forge-simplify-arithmetic", "::mlir::func::FuncOp"> {
  let summary = "remove arithmetic that does not change values";
  let description = [{
    Computes for every value an interval, whether its elements are integers, and whether it can have NaN or
    infinities. Removed are selections that only replace NaN, clips and relus of values within the bounds, and
    subtractions of zero. Floats with integer values that are cast to integers, shifted by a zero point and cast
    back remain floats: a QuantizeLinear and the DequantizeLinear after it become a division, a clip, the rounding
    and a product. A test for NaN or infinity is folded if its result is known, with the selections that
    use it. A division by a power of two becomes a product; products with 1, and sums, means and maxima over an axis
    of size 1, are removed. Results are bitwise equal.

    `fast-math` permits more: with `no-nans` and `no-infs`, tests for NaN and infinity are assumed to be false; with
    `reciprocal`, a division by a weight becomes a product with its reciprocal.

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
    Bounds are clamped to the size of the axis, and the axis is written as a negative dim. A slice of a whole axis
    is removed, an empty slice becomes an empty constant, and a reversed axis becomes a forge.adv_index with
    descending indices.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeDeviceFormsPass : Pass<"forge-device-forms", "::mlir::func::FuncOp"> {
  let summary = "replace calls that the device's compiler refuses";
  let description = [{
    Implements the table in docs/device-limits.md: Forge calls whose lowering Tenstorrent's compiler refuses, and
    the calls that replace them. Results are equal up to rounding. Arithmetic that depends only on weights is
    evaluated when the weights file is written.

    ```mlir
    %y = forge.batchnorm %x, %scale, %bias, %mean, %var epsilon 1.0e-5 : ...
    // becomes
    %y = forge.add (forge.multiply %x, %factor), %offset
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeLegalizeTypesPass : Pass<"forge-legalize-types", "::mlir::func::FuncOp"> {
  let summary = "convert element types and scalars to types of Forge";
  let description = [{
    f64 becomes f32; booleans and all integers become i32; rank 0 becomes shape [1]. Constants are checked for
    range. A cast to i1 becomes a comparison with 0, unless its operand is always 0 or 1. f32, f16 and bf16 are
    unchanged.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeChannelsLastPass : Pass<"forge-channels-last", "::mlir::func::FuncOp"> {
  let summary = "convert convolutions and the ops between them to channels last";
  let description = [{
    The device computes convolutions, pools and resizes with channels last. If one of these ops has channels first, the
    device adds transposes around it. This pass sets `channel_last` on these ops, and permutes the ops between them that
    work with any order of axes: elementwise ops, concatenations, slices, reductions, and reshapes of the spatial axes.
    Transposes of the program may cancel with the transposes that this pass makes. Transposes remain where an op fixes
    the meaning of an axis: at inputs and outputs, and before matrix products. Each op gets the layout with the lowest
    cost; a function is unchanged if its cost would not decrease. Constants are permuted with their ops, weights when
    the weights file is written. A channel shuffle splits and merges the trailing axis.

    A group norm merges the channels of a group with the pixels. With channels last, these axes are not adjacent.
    Therefore the mean of a group is computed as the mean of the means of its channels, repeated for each channel.
    Elementwise ops with weights are hoisted across the reshape that makes an image of rows of pixels.

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
    Tenstorrent's compiler fuses a constant pad whose users are all convolutions, and then an assertion of it fails.
    A pad of an image with zeros becomes the padding of its users. Other such pads, of channels or with another
    value, become concatenations with constants.

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
    The device computes convolutions and pools on rows of pixels, `[N, 1, H * W, C]`, and pads the two trailing axes
    of each tensor to whole tiles: padding makes an image `[1, 7, 7, C]` 4.6 times as large, and its rows of pixels,
    `[1, 1, 49, C]`, 1.3 times. Ops that compute each pixel independently, such as elementwise ops, products with a
    matrix and concatenations of channels, are computed on rows, if that costs less, including reshapes. The mean of
    an image becomes one mean of its rows.

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
  let summary = "separate the heads of an attention after a transpose";
  let description = [{
    A reshape of columns to heads, `[N, H * D]` to `[N, H, D]`, writes a tensor in which H is padded to a multiple of
    32: 3 heads take the memory of 32. If it is faster, the columns are transposed first, once for queries, keys and
    values, and the reshape splits rows, `[H * D, N]` to `[H, D, N]`. A transpose of each head remains, which is fused
    into the product that reads it. The heads of the result are merged in the same way: the operands of the product of
    the attention are exchanged, `(A B)^T = B^T A^T`, so that its result is `[H, D, N]`.

    A shuffle of channels, which is a reshape to `[..., G, C]`, a transpose and a reshape, becomes a shuffle of the rows
    of the transposed matrix or, if there are few pixels, one transpose of these rows to columns. A depthwise
    convolution is computed before the shuffle, with permuted filters, if its result is smaller than the image.

    Other reshapes and transposes that exchange axes, as from an image to windows, move contiguous blocks of elements.
    A block is reshaped to the matrix with the least tile padding: 7 pixels of 96 channels to `[21, 32]`, not to
    `[7, 96]`. Rows of images that are sliced and concatenated, as where windows are shifted, are split into parts for
    the same reason, 14 rows of 384 columns into 168 of 32, if that takes no more kernels.

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
    Without `float-format`, this pass changes nothing. With it, ops on floats are computed in this format. An input,
    or a cache that is written, gets the format as its type if all of its users read it in the format. Constants are
    rounded at compile time, weights when the weights file is written (arithmetic on weights is computed in f32 and
    rounded at the end). Outputs are cast to the types that the model declares. Finite constants are clamped to the
    range of the format.

    These ops are computed in f32:
    - ops that need exact values, because bf16 represents integers only up to 256: ops on integers that are stored in
      floats and may be larger, sums that count beyond 256, operands of casts to integers, angles of sines and cosines,
      sums with a constant that is added in order to round;
    - ops whose rounding would affect all later ops: recurrent layers, residual sums, norms, and the sums that norms
      read;
    - products that are outputs: the left operand is cast to f32, instead of the result;
    - ops that `keep-float32` names.

    A sum, difference, product or quotient with one operand in f32 has its result in f32, as in Forge, so the other
    operand is not cast. Weights of recurrent layers and of outputs are stored and read in the format. A product that
    is an addend of a sum in f32 is computed in the format.

    Ops that only move or select elements, such as a transpose or a maximum, commute with rounding. Between ops in f32
    they are in f32. Elsewhere these ops, and sums and means of rows, are in the format with which the function needs
    the fewest casts, and then the fewest bytes: the result of a slice is cast, and the operand of a repetition.

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
    Option<"floatFormat", "float-format", "std::string", "\"\"", "float32 or bfloat16 (mixed is the same); if empty, the formats of the model">,
    ListOption<"keepFloat32", "keep-float32", "std::string",
               "names of ONNX nodes, with * and ?, or of ops such as forge.matmul, that compute in f32">,
    Option<"nativeOutputs", "native-outputs", "bool", "false", "outputs keep the format in which they are computed">,
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeSeparateProductsPass : Pass<"forge-separate-products", "::mlir::func::FuncOp"> {
  let summary = "separate products of one left operand that the device's compiler cannot merge";
  let description = [{
    Tenstorrent's compiler merges products with the same left operand into one, and concatenates their biases along
    the trailing axis if all have one. It refuses programs in which

    - the biases cannot be concatenated: their shapes differ, one is broadcast along the trailing axis, or one is
      computed from the sum of another. Weights of rank 1 are reshaped; any other addition of a bias becomes a
      subtraction, which that compiler does not fuse. For the subtraction, the bias or the right operand is negated; if
      it is a weight, it is stored negated.
    - the right operand of one product is another product, maybe with unary ops after it. This pass
      multiplies that operand by one. Chains of more than two products are accepted.

    The compiler merges only products whose right operands have equal rank. If two products take less time than the
    merged one and its two slices, the weight of one of them is stored with the rank of the left operand, which is 3
    or more, so that they are not merged.

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
    A Forge module cannot return an input, a weight, a constant, or the same tensor twice. A forge.identity is
    inserted for these.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeWriteFlatPass : Pass<"forge-write-flat", "::mlir::func::FuncOp"> {
  let summary = "mark functions to be printed without methods";
  let description = [{
    By default, equal layers are printed as calls of one method. A function with the attribute `forge.flat`, which
    this pass sets, is printed as a sequence of calls.
  }];
}

def ForgeVerifyEmittablePass : Pass<"forge-verify-emittable", "::mlir::ModuleOp"> {
  let summary = "verify that a module can be printed as Forge calls";
  let description = [{
    Checks that every op is a weight, a constant or a forge.op call that the device can lower, with types of Forge, and
    that every output has its own call. The diagnostics name the ONNX node and the pass that is missing.
  }];
}

include "forge/Dialect/Forge/Transforms/FusionPasses.td"
include "forge/Dialect/Forge/Transforms/TilePasses.td"

#endif

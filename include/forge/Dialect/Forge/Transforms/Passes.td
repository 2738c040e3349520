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
                                   "permitted kinds of rewrites: no-nans, no-infs, reciprocal, reassociate, zero-products, all">;

defvar exactOption = Option<"exact", "exact", "bool", "false", "apply only the rewrites that keep every bit of the results, except the sign of zeros">;

defvar targetOption = Option<"target", "target", "std::string", "\"ttnn-conservative\"",
                             "which kernels are assumed to read tile padding; ttnn-conservative (the default): all; ttnn-self-masking: those that do not mask it in TTNN's source code; none: no kernel">;

def ForgeCheckIntegersPass : Pass<"forge-check-integers", "::mlir::func::FuncOp"> {
  let summary = "find integer arithmetic that may overflow Int32";
  let description = [{
    Computes an [interval](../integers.md#find-arithmetic-that-may-overflow) for the elements of each value. Arithmetic
    is *proven* if its interval fits Int32, in which the device computes integers. Results that ONNX does not define
    count as proven, such as that of an index outside its axis. For each ONNX node with unproven arithmetic, a remark
    names the inputs on which the arithmetic depends. With `mode=proven`, it is an error.
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"checked\"", "what unproven arithmetic causes; checked (the default): a remark; proven: an error">,
    Option<"annotate", "annotate", "bool", "false", "attach to each op the interval of its result, as the attribute forge.interval">
  ];
}

def ForgeLowerIntegersPass : Pass<"forge-lower-integers", "::mlir::func::FuncOp"> {
  let summary = "lower forge.quotient and forge.wrap_index, and fold integers by their intervals";
  let description = [{
    Uses the intervals of --forge-check-integers:

    - If an integer has only one possible value, it becomes a constant.
    - A minimum, a maximum or a selection that always gives the same operand is replaced by this operand.
    - A forge.quotient becomes two float divisions and a correction.
    - A forge.wrap_index adds the size of an axis to negative indices. If no index can be negative, it is removed.
      Otherwise it becomes arithmetic on the indices.

    The first two rewrites do not use intervals that depend on unproven arithmetic, because they could remove the op
    that overflows.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeSimplifyArithmeticPass : Pass<"forge-simplify-arithmetic", "::mlir::func::FuncOp"> {
  let summary = "remove arithmetic that does not change values";
  let description = [{
    For each value, the pass computes an interval of its elements, whether they are integers, and whether they can be
    NaN or infinite. Without `fast-math`, the rewrites that use these facts change at most the sign of a zero. For
    example:

    - A test for NaN or infinity is folded if its result is known.
    - A clip or a ReLU is removed if its operand is known to be within the bounds.
    - Casts of integer-valued floats to integers and back to floats are removed. If a zero point is subtracted between
      the casts, the subtraction is computed in floats.

    With `no-nans` and `no-infs` of `fast-math`, tests for NaN and for infinity are assumed to be false. With
    `reciprocal`, a division by a weight becomes a multiplication by its reciprocal.
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
    - Bounds are clamped to the size of the axis.
    - A slice of a whole axis is removed.
    - An empty slice becomes an empty constant.
    - A slice with a negative stride becomes a forge.adv_index with descending indices.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeDeviceFormsPass : Pass<"forge-device-forms", "::mlir::func::FuncOp"> {
  let summary = "replace calls that the device's compiler refuses";
  let description = [{
    Makes the replacements of [device limits](../device-limits.md), except those for which that page names another pass.
    Results are equal up to rounding.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeLegalizeTypesPass : Pass<"forge-legalize-types", "::mlir::func::FuncOp"> {
  let summary = "convert element types and scalars to types of Forge";
  let description = [{
    - f64 becomes f32. f32, f16 and bf16 are unchanged.
    - Booleans and all integers become i32.
    - A tensor of rank 0 gets the shape [1].
    - A cast to i1 becomes a comparison with 0, unless its operand is known to be 0 or 1.

    A constant that does not fit its new type is an error.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeChannelsLastPass : Pass<"forge-channels-last", "::mlir::func::FuncOp"> {
  let summary = "convert convolutions and the ops between them to channels last";
  let description = [{
    The device computes convolutions, pools and resizes with channels last. If such an op has channels first, the
    device's compiler adds transposes around it. This pass sets `channel_last` on the ops, and permutes the axes of ops
    between them, including group norms and channel shuffles, which split the axis of channels. Transposes remain at
    inputs and outputs, and at ops that fix the order of the axes, such as matrix products. A function is unchanged if
    its [cost](../cost.md) would not decrease.

    ```mlir
    %y = forge.conv2d %x, %w ... : (tensor<1x3x8x8xf32>, ...) -> tensor<1x4x8x8xf32>
    // becomes, between transposes to channels last and back,
    %y = forge.conv2d %t, %w ... channel_last : (tensor<1x8x8x3xf32>, ...) -> tensor<1x8x8x4xf32>
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeConvolutionPadsPass : Pass<"forge-convolution-pads", "::mlir::func::FuncOp"> {
  let summary = "replace pads by the padding of convolutions or by concatenations";
  let description = [{
    If all users of a constant pad are convolutions, Tenstorrent's compiler fails in an assertion.

    - A pad of height and width with zeros becomes the padding of the convolutions that use it.
    - Another pad becomes concatenations with constants if all of its users are convolutions.

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
  let summary = "compute on rows of pixels between convolutions, and on one matrix instead of single rows";
  let description = [{
    The device computes convolutions and pools on *rows of pixels*, `[N, 1, H * W, C]`, which have less tile padding
    than images: an image `[1, 7, 7, C]` takes 4.6 times the memory of its elements, and its rows of pixels take 1.3
    times.

    Ops between convolutions can use rows of pixels if they compute each pixel independently, as elementwise ops,
    products with a matrix, and concatenations of channels do. The mean of an image becomes the mean of its rows.
    Likewise, matrices of one row, `[B, 1, C]`, become one matrix, `[1, B, C]`, because each of them takes 32 times the
    memory of its elements. `torch.nn.MultiheadAttention` computes them. The pass rewrites a group of such ops if the
    estimated time decreases.

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
  let summary = "reduce the tile padding of reshapes and transposes, such as those of attention heads";
  let description = [{
    Some reshapes and transposes write tensors that are mostly tile padding. For example, the reshape of `[N, H * D]` to
    `[N, H, D]` pads H to a multiple of 32: 3 heads take the memory of 32. If the estimated time decreases, the pass
    replaces such ops by three ideas:

    - *Rows instead of columns.* The matrix is transposed, and its rows are split into heads, from `[H * D, N]` to
      `[H, D, N]`. Then each head is transposed. The device's compiler fuses this transpose into the product that reads
      the head. Heads are merged, and channels are shuffled, by similar steps.
    - *Blocks.* If a transpose moves contiguous blocks of elements, for example from an image to windows, each block is
      reshaped to the matrix with the least tile padding. For example, 7 pixels of 96 channels become `[21, 32]`.
    - *Columns instead of rows.* If rows `[N, 1, D]` are stacked, each of them is padded to 32 rows. Instead, `[N, D]` are
      concatenated along the trailing axis, and the result is reshaped.

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
    With the option `float-format`, ops on floats compute in this format:

    - Constants are rounded at compile time. Weights are rounded when the weights file is written. Finite constants are
      clamped to the range of the format.
    - An input gets the format if all of its users read it in the format.
    - Outputs are cast to the types that the model declares.

    [Float formats](../float-formats.md#what-is-rounded) lists the ops that still compute in f32. The option
    `keep-float32` adds others. An addition, subtraction, multiplication, division or matrix product with one operand in
    f32 has its result in f32.

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
    Option<"floatFormat", "float-format", "std::string", "\"\"", "the format: float32, or bfloat16, which may also be called mixed; by default, the formats of the model">,
    ListOption<"keepFloat32", "keep-float32", "std::string",
               "what computes in f32: names of ONNX nodes, in which * and ? are wildcards, or of ops such as forge.matmul">,
    Option<"nativeOutputs", "native-outputs", "bool", "false", "do not cast outputs to the types of the model">,
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeSeparateProductsPass : Pass<"forge-separate-products", "::mlir::func::FuncOp"> {
  let summary = "separate products of one left operand that the device's compiler cannot merge";
  let description = [{
    Tenstorrent's compiler merges matrix products with the same left operand, and concatenates their biases. This fails
    in two cases, which this pass rewrites:

    - The biases cannot be concatenated, or one of them depends on another of these products. Biases that are weights
      with one element for each column are reshaped to rank 1. Other biases become operands of subtractions.
    - The right operand of one product depends on another of these products. The pass multiplies this operand by one.

    If two products take less time than the merged product with its two slices, the pass reshapes the right operand of
    one of them to another rank, which prevents the merge.

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
    A Forge module cannot return an input, a weight or a constant, and cannot return a tensor twice. For such an output,
    a forge.identity is inserted.

    Forge fuses some ops with their neighbours into ops with other results, or crashes ([device
    limits](../device-limits.md)): an addition to a convolution, a reshape whose result is sliced, and a reduction
    without `keep_dim`. A forge.identity between them prevents this. Forge removes it later, so that it does not run on
    the device.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeWriteFlatPass : Pass<"forge-write-flat", "::mlir::func::FuncOp"> {
  let summary = "mark functions to be printed without methods";
  let description = [{
    By default, equal layers of a model are printed as calls of one method. A function with the attribute `forge.flat`,
    which this pass sets, is printed as a sequence of `forge.op` calls.
  }];
}

def ForgeVerifyEmittablePass : Pass<"forge-verify-emittable", "::mlir::ModuleOp"> {
  let summary = "verify that a module can be printed as Forge calls";
  let description = [{
    Checks these conditions:

    - Every op is a weight, a constant, or a Forge call that the device's compiler can lower.
    - All types are types of Forge: f32, f16, bf16 or i32, with rank 1 or more.
    - A cache that is written is no weight, and has no other user.
    - Convolutions are not the only users of a constant pad.
    - Forge fuses no addition to a convolution, no reshape that is sliced, and no reduction without `keep_dim`, into ops
      with other results.
    - Every output has its own call.

    An error names the ONNX node and, if a pass has to run before, that pass.
  }];
}

include "forge/Dialect/Forge/Transforms/FusionPasses.td"
include "forge/Dialect/Forge/Transforms/TilePasses.td"

#endif

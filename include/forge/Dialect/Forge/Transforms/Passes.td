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
                             "the kernels that are assumed to read tile padding; ttnn-conservative (the default): all; ttnn-self-masking: all except those that mask it in TTNN's source code; none: no kernel">;

def ForgeCheckIntegersPass : Pass<"forge-check-integers", "::mlir::func::FuncOp"> {
  let summary = "find integer arithmetic that may overflow Int32";
  let description = [{
    Computes an [interval](../integers.md#find-arithmetic-that-may-overflow) for the elements of each value. Arithmetic
    is *proven* if its interval fits Int32, in which the device computes integers. Arithmetic also counts as proven if
    ONNX does not define its result, as for an index outside its axis.

    For each ONNX node with unproven arithmetic, the pass prints a remark, which names the inputs on which the
    arithmetic depends. With `mode=proven`, it reports an error instead.
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"checked\"", "what unproven arithmetic causes; checked (the default): a remark; proven: an error">,
    Option<"annotate", "annotate", "bool", "false", "attach to each op the interval of its result, as the attribute forge.interval">
  ];
}

def ForgeLowerIntegersPass : Pass<"forge-lower-integers", "::mlir::func::FuncOp"> {
  let summary = "lower forge.quotient and forge.wrap_index, and fold integer ops whose results follow from intervals";
  let description = [{
    Uses the intervals of --forge-check-integers:

    - If an integer has only one possible value, it becomes a constant.
    - A minimum, maximum or selection whose result is always the same operand is replaced by this operand.
    - A forge.quotient becomes two float divisions and a correction.
    - A forge.wrap_index, which adds the size of an axis to negative indices, is removed if no index can be negative.
      Otherwise it becomes arithmetic on the indices.

    The first two rewrites could remove an op that overflows. Therefore they do not use intervals that depend on
    unproven arithmetic.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeSimplifyArithmeticPass : Pass<"forge-simplify-arithmetic", "::mlir::func::FuncOp"> {
  let summary = "remove arithmetic that does not change values";
  let description = [{
    For each value, the pass derives three facts about its elements: an interval, whether they are integers, and whether
    they can be NaN or infinite. It removes or simplifies ops by these facts. Without `fast-math`, such a rewrite
    changes at most the sign of a zero. For example:

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
    [Device limits](../device-limits.md) lists the calls that the device's compiler refuses, and what replaces each of
    them. This pass makes these replacements, except those for which the list names another pass. Results are equal up
    to rounding.
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
    device's compiler adds transposes before and after it. This pass removes the need for most of these transposes:

    - It sets `channel_last` on convolutions, pools and resizes.
    - It permutes the axes of the ops between them. These ops may even split the axis of channels, as group norms and
      channel shuffles do.
    - Transposes remain only at inputs and outputs, and at ops that fix the order of the axes, such as matrix products.

    If the [cost](../cost.md) of a function would not decrease, the function is unchanged.

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
    If all users of a constant pad are convolutions, an assertion of Tenstorrent's compiler fails. This pass replaces
    such pads:

    - A pad that adds zeros along the height or the width becomes the padding of the convolutions that use it. This is
      also done if the pad has other users.
    - Any other pad whose users are all convolutions becomes concatenations with constants.

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
  let summary = "reshape images between convolutions to rows of pixels, and batches of one-row matrices to one matrix";
  let description = [{
    The device computes convolutions and pools on *rows of pixels*, `[N, 1, H * W, C]`. They have less tile padding than
    images. For example, an image `[1, 7, 7, C]` takes 4.6 times the memory of its elements. As rows of pixels, `[1, 1,
    49, C]`, it takes 1.3 times the memory of its elements.

    The pass lets the ops between convolutions use rows of pixels, too. This is possible if an op computes each pixel
    independently, as elementwise ops, products with a matrix, and concatenations of channels do. The mean of an image
    becomes the mean of its rows.

    In the same way, matrices of one row, `[B, 1, C]`, become one matrix, `[1, B, C]`. Each matrix of one row takes 32
    times the memory of its elements. Such matrices occur in `torch.nn.MultiheadAttention`.

    A group of such ops is rewritten if the estimated time decreases.

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
    Some reshapes and transposes write tensors that are mostly tile padding. For example, the reshape that splits the
    columns of a matrix into H heads, from `[N, H * D]` to `[N, H, D]`, pads H to a multiple of 32. Then 3 heads take
    the memory of 32. The pass replaces such ops in one of three ways, if the estimated time decreases:

    - **Rows instead of columns.** The matrix is transposed first. Then its rows are split into heads, from `[H * D, N]`
      to `[H, D, N]`, which adds no padding to H. Last, each head is transposed. The device's compiler fuses this
      transpose into the product that reads the head. Heads are merged, and channels are shuffled, by similar steps.
    - **Blocks.** Some transposes move contiguous blocks of elements, for example from an image to windows. Each block
      is reshaped to the matrix with the least tile padding. For example, 7 pixels of 96 channels become `[21, 32]`.
    - **Columns instead of rows.** If rows `[N, 1, D]` are stacked, each of them is padded to 32 rows. Instead, the
      matrices `[N, D]` are concatenated along the trailing axis, and the result is reshaped.

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

    - Constants are rounded at compile time. If a finite constant is outside the range of the format, it is clamped to
      the range.
    - Weights are rounded when the weights file is written.
    - An input gets the format if all of its users read it in this format.
    - Outputs are cast to the types that the model declares.

    [Float formats](../float-formats.md#what-is-rounded) lists the ops that still compute in f32. The option
    `keep-float32` adds others. If one operand of an addition, subtraction, multiplication, division or matrix product
    is in f32, the result is in f32.

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
    Option<"floatFormat", "float-format", "std::string", "\"\"", "the format: float32, or bfloat16 (also called mixed); by default, the formats of the model">,
    ListOption<"keepFloat32", "keep-float32", "std::string",
               "what computes in f32: names of ONNX nodes, in which * and ? are wildcards, or of ops such as forge.matmul">,
    Option<"nativeOutputs", "native-outputs", "bool", "false", "do not cast outputs to the types of the model">,
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeSeparateProductsPass : Pass<"forge-separate-products", "::mlir::func::FuncOp"> {
  let summary = "prevent the device's compiler from merging products if the merge fails or is slower";
  let description = [{
    Tenstorrent's compiler merges matrix products with the same left operand, and concatenates their biases. This merge
    fails in two cases. In both, the pass rewrites the products:

    - The biases cannot be concatenated, or the bias of one product depends on the result of another. A bias that is a
      weight with one element for each column is reshaped to rank 1. For any other bias b, the sum `x W + b` becomes a
      subtraction, such as `b - x (-W)`, because the compiler does not merge products whose sum is a subtraction. If all
      biases of a group are of this kind, the first one remains.
    - The right operand of one product depends on the result of another. The pass multiplies this operand by one.

    A merge may also be possible, but slow. If two products take less time than the merged product with its two slices,
    the pass prevents the merge. To do this, it reshapes the right operand of one of them to another rank.

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
    A Forge module cannot return an input, a weight or a constant, and it cannot return a tensor twice. For such an
    output, the pass inserts a forge.identity.

    Forge also merges some ops with their neighbours in a wrong way, or crashes when it tries ([device
    limits](../device-limits.md)). A forge.identity between the two ops prevents this. It is inserted in these places:

    - between a convolution and an addition
    - between a reshape and the slices of its result
    - before a reduction without `keep_dim`

    Forge removes these identities later, so that they do not run on the device.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeWriteFlatPass : Pass<"forge-write-flat", "::mlir::func::FuncOp"> {
  let summary = "mark functions to be printed as a flat sequence of calls";
  let description = [{
    By default, equal layers of a model are printed as calls of one method. This pass sets the attribute `forge.flat` on
    functions. A function with this attribute is printed without methods, as a sequence of `forge.op` calls.
  }];
}

def ForgeVerifyEmittablePass : Pass<"forge-verify-emittable", "::mlir::ModuleOp"> {
  let summary = "verify that a module can be printed as Forge calls";
  let description = [{
    Checks these conditions:

    - Every op is a weight, a constant, or a Forge call that the device's compiler can lower.
    - All types are types of Forge: f32, f16, bf16 or i32, with rank 1 or more.
    - If an op writes to a cache, the cache is not a weight, and has no other user.
    - Convolutions are not the only users of a constant pad. --forge-convolution-pads replaces such pads.
    - There is an identity wherever Forge would merge ops in a wrong way. --forge-isolate-outputs inserts these
      identities.
    - Every output has its own call.

    An error names the ONNX node. If another pass can correct the error, the message also names that pass.
  }];
}

include "forge/Dialect/Forge/Transforms/FusionPasses.td"
include "forge/Dialect/Forge/Transforms/TilePasses.td"

#endif

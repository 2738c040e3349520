//===- Passes.td - passes on the forge dialect --------------------*- tablegen -*-===//
//
// In the order of the pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_PASSES_TD
#define FORGE_DIALECT_FORGE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ForgeCheckIntegersPass : Pass<"forge-check-integers", "::mlir::func::FuncOp"> {
  let summary = "find the integer arithmetic that may leave Int32";
  let description = [{
    The device holds integers in Int32. This pass computes between which numbers the elements of every value lie, from
    constants, types, shapes and what the user says of inputs (`forge.range` on an argument), by the rules in the records of
    the ops. Arithmetic that stays in Int32 for all of them is proven. The rest is a remark per node, with the inputs that
    would have to be bounded, or with `mode=proven` an error.

    Where ONNX itself gives no result (a float beyond Int32 that is cast to int32, an index outside its axis) there is
    nothing to prove. Runs before --forge-lower-integers, which writes divisions in steps that intervals cannot follow.
  }];
  let options = [
    Option<"mode", "mode", "std::string", "\"checked\"", "checked: remarks; proven: errors">,
    Option<"annotate", "annotate", "bool", "false", "attach between which numbers the results of every op lie, as forge.interval">
  ];
}

def ForgeLowerIntegersPass : Pass<"forge-lower-integers", "::mlir::func::FuncOp"> {
  let summary = "lower forge.quotient and forge.wrap_index, and drop what ranges decide";
  let description = [{
    With the intervals of --forge-check-integers, but for those that rest on something unproven: an integer that can only
    be one number is that constant, and a minimum, maximum or choice of integers that is always the same operand is that
    operand. A quotient becomes two float quotients and a correction, none of which leaves Int32 unless the result does. An index
    that cannot be negative stays as it is; to any other a Where adds the size of the axis where it is negative.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

defvar fastMathOption = ListOption<"fastMath", "fast-math", "std::string",
                                   "liberties with floats: no-nans, no-infs, reciprocal, reassociate, zero-products, all">;

defvar exactOption = Option<"exact", "exact", "bool", "false", "only what keeps every bit, and what programs need">;

def ForgeSimplifyArithmeticPass : Pass<"forge-simplify-arithmetic", "::mlir::func::FuncOp"> {
  let summary = "drop arithmetic that changes nothing";
  let description = [{
    Knows between which numbers elements lie, whether they are whole, and where NaN and infinities cannot be: a choice
    that only replaces NaN, a clip or relu of what lies within its bounds, the subtraction of nothing go. Whole floats that
    become integers, lose a zero point and become floats again stay floats, so that of a QuantizeLinear and the
    DequantizeLinear behind it remain a division, a clip, the rounding and a product. A test for NaN or infinity of what
    is neither is known, and so is what is chosen by it. Division by a power of two is a product, and a product with 1
    goes, as do sums, means and maxima of an axis of one element. Results are the same to the last bit.

    `fast-math` takes more for granted: `no-nans` and `no-infs`, that such tests never find one; `reciprocal`, that
    division by a weight is a product with its reciprocal.

    ```mlir
    %i = forge.cast %whole dtype i32 : tensor<8xf32> -> tensor<8xi32>
    %f = forge.cast %i dtype f32 : tensor<8xi32> -> tensor<8xf32>
    // becomes %whole
    ```
  }];
  let options = [fastMathOption];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeLowerSplitPass : Pass<"forge-lower-split", "::mlir::func::FuncOp"> {
  let summary = "lower forge.split to one forge.strided_slice per used result";
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeLowerStridedSlicePass : Pass<"forge-lower-strided-slice", "::mlir::func::FuncOp"> {
  let summary = "lower forge.strided_slice to one forge.index per axis";
  let description = [{
    Bounds are clamped to the axis, and the axis is written as a negative dim. A slice of the whole axis disappears, a slice
    without elements becomes an empty constant, and a reversed axis becomes a forge.adv_index with descending indices.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeDeviceFormsPass : Pass<"forge-device-forms", "::mlir::func::FuncOp"> {
  let summary = "write what the device's compiler refuses in a form that it accepts";
  let description = [{
    The table of docs/device-limits.md: Forge calls that bind, but whose lowering Tenstorrent's compiler refuses, and the
    calls in their place. Results stay what they were, up to rounding. What depends on weights alone is computed when the
    weights are written.

    ```mlir
    %y = forge.batchnorm %x, %scale, %bias, %mean, %var epsilon 1.0e-5 : ...
    // becomes
    %y = forge.add (forge.multiply %x, %factor), %offset
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeLegalizeTypesPass : Pass<"forge-legalize-types", "::mlir::func::FuncOp"> {
  let summary = "change element types and rank 0 to what Forge can hold";
  let description = [{
    f64 becomes f32; booleans and all integers become i32; rank 0 becomes [1]. Constants are checked for range. A cast to
    i1 becomes a comparison with 0, unless its operand is 0 or 1 already. f32, f16 and bf16 stay.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeChannelsLastPass : Pass<"forge-channels-last", "::mlir::func::FuncOp"> {
  let summary = "compute convolutions, and what stands between them, with channels behind the spatial axes";
  let description = [{
    The device computes convolutions, pools and resizes with channels last, and puts transposes around each that has them
    first. This pass gives them `channel_last`, and everything between them that works on any order of axes: elementwise
    ops, concatenations, slices, reductions, reshapes of the spatial axes. Transposes that the program has may become
    nothing. What stays are transposes where an order must be that of the program: at inputs and outputs, in front of
    matrix products. Each op takes the order that costs least, a function keeps its own where the other saves nothing.
    Constants and weights turn with their ops (when they are written). A shuffle of channels splits and joins them where
    they are.

    A group norm joins the channels of a group with the pixels, which no order of axes with channels last does. Where its
    channels are last, the mean of a group is the mean of its channels' means, repeated for each of them. Elementwise ops with weights come in front of the reshape that makes an image of rows of
    pixels.

    ```mlir
    %y = forge.conv2d %x, %w {channel_last = false, ...} : (tensor<1x3x8x8xf32>, ...) -> tensor<1x4x8x8xf32>
    // becomes, between two pairs of transposes,
    %y = forge.conv2d %t, %w {channel_last = true, ...} : (tensor<1x8x8x3xf32>, ...) -> tensor<1x8x8x4xf32>
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeJoinRecurrentPass : Pass<"forge-join-recurrent", "::mlir::func::FuncOp"> {
  let summary = "recurrent layers that are alike and independent take their steps together";
  let description = [{
    What is made of slices of several values by the same ops, with products among them, without one depending on another,
    such as the layers over the rows and over the columns of an image: from the slices on, which are the steps of sequences,
    values get an axis in front, of the layers. What they read is joined once, and results are cut where something else
    reads them. Calls must become fewer, and kernels no more.

    ```mlir
    %a = forge.matmul %h, %r : (tensor<2x3x4xf32>, tensor<2x4x16xf32>) -> tensor<2x3x16xf32>
    %b = forge.matmul %g, %s : (tensor<2x3x4xf32>, tensor<2x4x16xf32>) -> tensor<2x3x16xf32>
    // becomes
    %0 = forge.matmul %hg, %rs : (tensor<2x2x3x4xf32>, tensor<2x2x4x16xf32>) -> tensor<2x2x3x16xf32>
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeSeparateProductsPass : Pass<"forge-separate-products", "::mlir::func::FuncOp"> {
  let summary = "keep apart products of one left side that the device's compiler cannot join";
  let description = [{
    Tenstorrent's compiler makes one product of those that have one left side, and joins their terms along the last axis
    where all have one. It refuses a program in which

    - the terms do not fit together: of unlike shapes, one that is broadcast along the last axis, or one that is computed
      from the sum of another. Rows of weights get one axis, and what is no such row is subtracted, which that compiler
      leaves alone: of the term or of the right side, whichever is a weight, the negative is stored.
    - one product is the right side of another, with ops of one operand between at most. That side is multiplied by one;
      longer chains are taken.

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

def ForgeFloatFormatPass : Pass<"forge-float-format", "::mlir::func::FuncOp"> {
  let summary = "compute in another float format than the model states";
  let description = [{
    Without a format this pass changes nothing. With one, every op on floats computes in it: inputs are cast to it once,
    constants are rounded at compile time and weights when they are written (what is computed of weights is computed in
    f32 and rounded last), and outputs are cast to the types that the model declares. Finite constants beyond the largest
    number of the format become that number.

    bf16 holds integers to 256 only. These ops stay in f32, with casts where they meet others: those on integers that pass
    through floats and may be larger, sums that count further, what a cast to integers reads, angles of sines and cosines,
    sums with constants that round on purpose, and the ops that `keep-float32` names.

    ```mlir
    %y = forge.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    // becomes, with float-format=bfloat16,
    %0 = forge.cast %x dtype bf16 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
    %1 = forge.matmul %0, %w : (tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xbf16>
    %y = forge.cast %1 dtype f32 : (tensor<2x4xbf16>) -> tensor<2x4xf32>
    ```
  }];
  let options = [
    Option<"floatFormat", "float-format", "std::string", "\"\"", "float32 or bfloat16 (mixed is the same); as the model says if empty">,
    ListOption<"keepFloat32", "keep-float32", "std::string",
               "names of ONNX nodes, with * and ?, or of forge ops that compute in f32">,
    Option<"nativeOutputs", "native-outputs", "bool", "false", "outputs keep the format in which they were computed">,
  ];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeIsolateOutputsPass : Pass<"forge-isolate-outputs", "::mlir::func::FuncOp"> {
  let summary = "give each output a call of its own";
  let description = [{
    Forge cannot return an input, a weight, a constant, or one tensor twice: a forge.identity stands in for those.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

defvar targetOption = Option<"target", "target", "std::string", "\"ttnn-conservative\"",
                             "what the backend does with padding by itself">;

def ForgeVerifyEmittablePass : Pass<"forge-verify-emittable", "::mlir::ModuleOp"> {
  let summary = "check that a module can be written as Forge calls that the device can run";
  let description = [{
    Every op is one forge.op call that the device can lower, on types that Forge can hold, and every output has a call of
    its own. The diagnostics name the ONNX node and the pass that is missing.
  }];
}

def ForgeWriteFlatPass : Pass<"forge-write-flat", "::mlir::func::FuncOp"> {
  let summary = "have every call written in forward";
  let description = [{
    Equal layers are written as calls of one method by default. A function that this pass marks with `forge.flat` is
    written as one straight line of calls.
  }];
}

include "forge/Dialect/Forge/Transforms/FusionPasses.td"
include "forge/Dialect/Forge/Transforms/TilePasses.td"

#endif

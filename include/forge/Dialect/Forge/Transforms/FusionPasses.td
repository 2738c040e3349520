//===- FusionPasses.td - passes that make fewer calls -------------*- tablegen -*-===//
//
// Included by Passes.td, which defines the shared options. In the order of the pipeline, in which passes of Passes.td
// are between these. The passes are in lib/Dialect/Forge/Transforms, in Fusion and Join.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_FUSIONPASSES
#define FORGE_DIALECT_FORGE_TRANSFORMS_FUSIONPASSES

include "mlir/Pass/PassBase.td"

def ForgeFusePatternsPass : Pass<"forge-fuse-patterns", "::mlir::func::FuncOp"> {
  let summary = "recognise functions that exporters decompose";
  let description = [{
    - GELU, with erf or tanh, becomes forge.gelu.
    - A layer norm with a scale over the trailing axis becomes forge.layernorm.
    - a / (1 + exp(-x)) becomes a * sigmoid(x). SiLU has this form with a = x.
    - Min and Max with two scalar constants, as in HardSwish, become forge.clip.
    - x^-0.5 in an RMS norm becomes 1 / sqrt(x).
    - A sum, mean or maximum of a transposed tensor is computed before the transpose.
    - An interleaved rotary embedding, which computes on even and odd elements separately, becomes x * a + swap(x) * b.
      Here swap exchanges neighbouring elements, and a and b are weights.

    Operands of products and sums match in any order. Divisions, multiplications and powers of equal meaning match, and
    so do constants that are equal up to rounding. An intermediate value with users outside of the pattern is kept for
    these users.

    Forge has no call for SiLU, HardSwish, RMS norm or attention. They remain sequences of ops.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeMergeEqualPass : Pass<"forge-merge-equal", "::mlir::func::FuncOp"> {
  let summary = "merge equal ops";
  let description = [{
    Ops of one kind with equal operands and attributes are merged, and ops without users are removed. --cse does the
    same, but takes more time.

    ```mlir
    %0 = forge.relu %x : tensor<2xf32>
    %1 = forge.relu %x : tensor<2xf32>   // becomes %0
    ```
  }];
}

def ForgeJoinRecurrentPass : Pass<"forge-join-recurrent", "::mlir::func::FuncOp"> {
  let summary = "merge independent recurrent layers of equal form";
  let description = [{
    Finds equal sequences of ops, including products, on slices of several values, such as recurrent layers over the
    rows and over the columns of an image. Sequences that do not depend on each other are merged: their values get a
    leading axis for the layers, and other operands are concatenated. Neither the number of calls nor the number of
    kernels may increase, and one of the two has to decrease.

    ```mlir
    %a = forge.matmul %h, %r : (tensor<2x3x4xf32>, tensor<2x4x16xf32>) -> tensor<2x3x16xf32>
    %b = forge.matmul %g, %s : (tensor<2x3x4xf32>, tensor<2x4x16xf32>) -> tensor<2x3x16xf32>
    // becomes
    %0 = forge.matmul %hg, %rs : (tensor<2x2x3x4xf32>, tensor<2x2x4x16xf32>) -> tensor<2x2x3x16xf32>
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeJoinMovementPass : Pass<"forge-join-movement", "::mlir::func::FuncOp"> {
  let summary = "merge chains of reshapes and transposes";
  let description = [{
    Applies the canonical forms of forge.reshape and forge.transpose. Unlike --canonicalize, this pass does not fold
    constants, because folding would lose the correspondence between ONNX values and values of the program.

    Some reshapes split off an axis that is then only indexed, such as the axis of queries, keys and values. The pass
    removes the reshape, and each index becomes a slice of the unsplit axis.

    ```mlir
    %0 = forge.reshape %x shape [6, 8] : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
    %1 = forge.matmul %0, %w : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    %2 = forge.reshape %1 shape [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
    // becomes
    %2 = forge.matmul %x, %w : (tensor<2x3x8xf32>, tensor<8x4xf32>) -> tensor<2x3x4xf32>
    ```
  }];
  let options = [Option<"chains", "chains", "bool", "false",
                        "rewrite chains of reshapes and transposes to a minimal sequence; only after --forge-channels-last, "
                        "which matches single transposes">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeFoldWeightsPass : Pass<"forge-fold-weights", "::mlir::func::FuncOp"> {
  let summary = "fold scales and biases into weights";
  let description = [{
    Applies to float32 values. The analysis `forge::AffineRegion` follows the values between a scale or bias and the
    weights. A rewrite is applied only if all users of these values can be changed, too. Results are equal up to rounding.

    Weights without effect, and weights that are combined:

    - Additions of all-zero weights and multiplications by all-one weights are removed.
    - Consecutive additions of weights of equal shape are merged, and so are consecutive multiplications. Weights of one
      element remain, because they may be the scales of quantisers.
    - An outer product of two weights, as for the angles of rotary embeddings, becomes an elementwise multiplication.

    Scales and biases after a product or a convolution:

    - A per-channel scale of a convolution, a per-column scale of a matrix product, or a scalar scale is folded into the
      weights, also across reshapes, transposes, sums with weights, and a product of two activations. For example, the
      scale of an attention is folded into the projection of its queries.
    - A per-channel bias of a convolution is folded into its bias.
    - Sums and differences of convolutions of one value, and of that value with a per-channel scale, become one
      convolution with the sum of the filters, as in the branches of RepVGG and MobileOne.

    Scales and biases before a product or a convolution:

    - A per-channel scale of a value that only convolutions read, as at the end of a batch norm, is folded into their
      filters. A per-channel bias of such a value is folded into their biases if they are 1x1 convolutions.
    - A scale and a bias along the trailing axis, as at the end of a norm, are folded into the matrix products that read
      the result. The product of that bias and the weights is added to the bias of the matrix product. If sums also read
      the norm, as in a residual network, the bias is folded into the product that is added in the sum.
    - Scalar scales of the operands of a matrix product that cannot be folded into weights are replaced by one scale of
      its result.

    Attention and activations:

    - If queries, keys and values are interleaved by heads, the columns of their projection are permuted, so that
      queries, keys and values are three slices.
    - A scalar scale after a rotary embedding is hoisted into the projection before it. If a norm is between projection
      and embedding, the square root of the scale is folded into the tables of sines and cosines of queries and of keys.
    - The negation of one half in a rotary embedding is folded into the table of sines.
    - where(c * mask, x, y) with a constant c of zeros and ones, and scalars x and y, becomes where(mask, z, y) with the
      constant z = where(c, x, y).
    - x * f(c * x), as in hard swish and QuickGELU, becomes y * f(y) with y = c * x, if x is a product with weights and
      only products with weights read the result. The weights that produce x are multiplied by c, and those that read
      the result are divided by c.

    With `reassociate` of `fast-math`, scalar factors are also merged, and the scalar scale of an operand of a product
    or a convolution is folded into its weights. Then the results of quantisers may differ: a value close to the middle
    of two steps may be rounded to the other step.

    ```mlir
    %p = forge.matmul %x, %w : ...
    %y = forge.multiply %p, %scale : ...
    // becomes
    %v = forge.multiply %w, %scale : ...     // no call
    %y = forge.matmul %x, %v : ...
    ```
  }];
  let options = [fastMathOption, exactOption];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeJoinConvolutionsPass : Pass<"forge-join-convolutions", "::mlir::func::FuncOp"> {
  let summary = "merge convolutions of one input whose results are concatenated";
  let description = [{
    Convolutions of one value are merged if they have equal strides, and are followed by the same elementwise functions
    and by a concatenation along the channels. The filters are concatenated. Only convolutions with channels first and
    without groups are merged.

    If the sizes of the filters differ, smaller filters are padded with zeros. This needs `zero-products` of
    `fast-math`, because an infinity times such a zero is NaN. The estimated time also has to decrease.

    ```mlir
    %a = forge.conv2d %x, %v padding [0, 0, 0, 0] : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
    %b = forge.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x8x8xf32>
    %y = forge.concatenate %a, %b axis 1 : (tensor<1x32x8x8xf32>, tensor<1x32x8x8xf32>) -> tensor<1x64x8x8xf32>
    // becomes
    %f = ...       // %v padded with zeros, and %w: no call
    %y = forge.conv2d %x, %f padding [1, 1, 1, 1] : (tensor<1x16x8x8xf32>, tensor<64x16x3x3xf32>) -> tensor<1x64x8x8xf32>
    ```
  }];
  let options = [fastMathOption];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeCentreNormsPass : Pass<"forge-centre-norms", "::mlir::func::FuncOp"> {
  let summary = "centre the inputs of layer norms";
  let description = [{
    A layer norm begins with the subtraction of the mean along the trailing axis. Often its input is a sum, as in the
    residual stream of a transformer, whose addends are products with weights, rows of embedding tables, or constants.
    This pass centres the weights, tables and constants: it subtracts their mean along that axis. Then the sum has mean
    zero, and its layer norms need no subtraction. The rewrite is applied only if all users of the sum are layer norms
    or further sums of this kind.

    An addend that is the result of a layer norm without scale and bias already has mean zero. Any other addend is
    centred at run time, if that costs less than the subtractions in the layer norms.

    Weights are assumed to be finite. Results are equal up to rounding.

    ```mlir
    %x = forge.matmul %a, %w : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %y = forge.layernorm %x, %one, %zero dim -1 epsilon 9.99999974E-6 : ...
    // becomes
    %m = forge.reduce_avg %w dim 1 keep_dim : (tensor<16x16xf32>) -> tensor<16x1xf32>                 // no call
    %v = forge.subtract %w, %m : (tensor<16x16xf32>, tensor<16x1xf32>) -> tensor<16x16xf32>           // no call
    %x = forge.matmul %a, %v : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %s = forge.multiply %x, %x : tensor<1x8x16xf32>
    %n = forge.reduce_avg %s dim -1 keep_dim : (tensor<1x8x16xf32>) -> tensor<1x8x1xf32>
    // ... and the other steps of the norm: addition of epsilon, square root, division of %x by the root
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeKernelFormsPass : Pass<"forge-kernel-forms", "::mlir::func::FuncOp"> {
  let summary = "rewrite ops to the form with the fewest kernels";
  let description = [{
    - A 1x1 convolution with channels last becomes a matrix product.
    - A bias that is added to a product becomes the third operand of the product.
    - A multiplication by a reciprocal becomes a division.
    - The mean of an image becomes a pool.
    - The sum of a mean along the trailing axis and a constant becomes a product with a weight of one column and a bias.
    - A layer norm becomes its steps, which take fewer kernels than the call.
    - Reshapes and repeats that broadcasting makes unnecessary are removed.
    - Positions of a convolution's filters that only read padding are removed.

    ```mlir
    %0 = forge.matmul %x, %w : (tensor<2x8x16xf32>, tensor<16x24xf32>) -> tensor<2x8x24xf32>
    %1 = forge.add %0, %bias : (tensor<2x8x24xf32>, tensor<24xf32>) -> tensor<2x8x24xf32>
    // becomes
    %1 = forge.matmul %x, %w, %bias : (tensor<2x8x16xf32>, tensor<16x24xf32>, tensor<24xf32>) -> tensor<2x8x24xf32>
    ```
  }];
  let options = [Option<"keepPadding", "keep-padding", "bool", "false",
                        "do not rewrite means, layer norms and biases, whose padding --forge-fill-tile-padding fills">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeColumnProductsPass : Pass<"forge-column-products", "::mlir::func::FuncOp"> {
  let summary = "rewrite rotary embeddings as matrix products, if fast-math has zero-products";
  let description = [{
    Does nothing without `zero-products` of `fast-math`, because an infinity times a zero of the matrix is NaN.

    The pass rewrites a float32 value y that is computed from the columns of a value x. Column i of y is a sum of column
    i of x and one other column of x, each multiplied by a weight or a scalar. Rotary embeddings have this form, whether
    the two columns are in different halves of a head or are neighbours. Then y is x * a + (x * b) M with a matrix M of
    zeros and scalars. This takes three calls: two multiplications, and a product with a bias.

    The rewrite is applied to at most 256 columns, if it saves calls and takes no more kernels.

    ```mlir
    %p = forge.multiply %x, %cos : ...
    %a = forge.index %x dim -1 [4:8] : ...
    %b = forge.index %x dim -1 [0:4] : ...
    %t = forge.concatenate %a, %b axis -1 : ...
    %q = forge.multiply %t, %sin : ...
    %y = forge.add %p, %q : ...
    // becomes
    %permuted = forge.adv_index %sin, %columns dim -1 : ...      // no call
    %p = forge.multiply %x, %cos : ...
    %q = forge.multiply %x, %permuted : ...
    %y = forge.matmul %q, %matrix, %p : ...
    ```
  }];
  let options = [fastMathOption];
}

def ForgeJoinSlicesPass : Pass<"forge-join-slices", "::mlir::func::FuncOp"> {
  let summary = "merge equal ops on neighbouring slices";
  let description = [{
    If the same ops with the same other operands are applied to neighbouring slices of a value, they are applied once to
    the slice that covers them, and the result is sliced. Examples are the rotary embedding of queries and keys, and an
    activation after products that were merged.

    Products of one value with different weights are merged if the ops after them can be merged too. For example,
    queries, keys and values are reshaped and transposed together, and then sliced. Neither the number of calls nor the
    estimated time may increase, and one of the two has to decrease.

    ```mlir
    %a = forge.index %x dim 1 [0:4] : (tensor<1x6x8xf32>) -> tensor<1x4x8xf32>
    %b = forge.index %x dim 1 [4:6] : (tensor<1x6x8xf32>) -> tensor<1x2x8xf32>
    %c = forge.relu %a : tensor<1x4x8xf32>
    %d = forge.relu %b : tensor<1x2x8xf32>
    // becomes
    %r = forge.relu %x : tensor<1x6x8xf32>
    %c = forge.index %r dim 1 [0:4] : (tensor<1x6x8xf32>) -> tensor<1x4x8xf32>
    %d = forge.index %r dim 1 [4:6] : (tensor<1x6x8xf32>) -> tensor<1x2x8xf32>
    ```
  }];
  let options = [Option<"keepTiles", "keep-tiles", "bool", "false",
                        "do not merge heads of whole tiles, which --forge-divisibility-rewrite has separated">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

#endif

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
  let summary = "fuse the ops of decomposed functions, such as GELU and layer norm";
  let description = [{
    Exporters write some functions as sequences of ops. The pass replaces these sequences:

    - The steps of GELU, with erf or tanh, become forge.gelu.
    - The steps of a layer norm over the trailing axis, with a scale, become forge.layernorm.
    - a / (1 + exp(-x)) becomes a * sigmoid(x). SiLU has this form, with a = x.
    - Min and Max with two scalar constants, as in HardSwish, become forge.clip.
    - x^-0.5 in an RMS norm becomes 1 / sqrt(x).
    - A sum, mean or maximum of a transposed tensor is computed before the transpose.
    - An interleaved rotary embedding becomes x * a + swap(x) * b, where swap exchanges neighbouring elements.

    The pass also recognises equivalent forms, such as another order of operands, a multiplication by the reciprocal in
    place of a division, or another way to write a power. Constants may differ from the exact ones by rounding. If a
    value within the sequence has other users, the op that computes it remains.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeMergeEqualPass : Pass<"forge-merge-equal", "::mlir::func::FuncOp"> {
  let summary = "merge equal ops";
  let description = [{
    Merges ops of one kind that have equal operands and attributes, and removes ops without users. MLIR's --cse does the
    same, but takes more time.
  }];
}

def ForgeJoinRecurrentPass : Pass<"forge-join-recurrent", "::mlir::func::FuncOp"> {
  let summary = "merge independent recurrent layers of equal form";
  let description = [{
    Merges recurrent layers that have equal ops and do not depend on each other, such as a layer over the rows of an
    image and a layer over its columns. Their operands are stacked along a new leading axis. The merge must decrease the
    number of calls or of kernels, and must increase neither.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeJoinMovementPass : Pass<"forge-join-movement", "::mlir::func::FuncOp"> {
  let summary = "merge chains of reshapes and transposes";
  let description = [{
    Merges forge.reshape and forge.transpose ops. Two of these ops that undo each other are removed, even if another op,
    such as a matrix product, is between them. Unlike --canonicalize, this pass does not fold constants.

    Some reshapes split an axis only to index one part of it. For example, attention splits an axis into queries, keys
    and values. Such a reshape is removed, and each index becomes a slice of the axis before the split.

    ```mlir
    %0 = forge.reshape %x shape [6, 8] : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
    %1 = forge.matmul %0, %w : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    %2 = forge.reshape %1 shape [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
    // becomes
    %2 = forge.matmul %x, %w : (tensor<2x3x8xf32>, tensor<8x4xf32>) -> tensor<2x3x4xf32>
    ```
  }];
  let options = [Option<"chains", "chains", "bool", "false",
                        "replace each chain of reshapes and transposes by a shortest sequence; use it only after "
                        "--forge-channels-last, which matches single transposes">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeFoldWeightsPass : Pass<"forge-fold-weights", "::mlir::func::FuncOp"> {
  let summary = "fold scales and biases into weights";
  let description = [{
    Folds scales and biases of float32 values into weights. Other ops, such as reshapes, may be in between. A rewrite is
    applied only if no other op reads a value that it changes. Results are equal up to rounding.

    After a product or a convolution:

    - A scale is folded into the weights. It is a scalar, or has one element for each channel or column. For example,
      the scale of an attention is folded into the projection of its queries.
    - A bias for each channel is folded into the bias of the convolution.

    Before a product or a convolution:

    - A scale for each channel is folded into the filters of the convolutions that read the value. A bias for each
      channel is folded into the biases of 1x1 convolutions.
    - A scale along the trailing axis, as at the end of a norm, is folded into the matrix products that read the result.
      For a bias b along this axis, `(x + b) W` becomes `x W + b W`, where `b W` has no call.

    Across rotary embeddings and activations:

    - A scalar scale after a rotary embedding, such as the scale of an attention, is folded into the projection before
      the embedding. If there is a norm between the projection and the embedding, the scale is divided between queries
      and keys: its square root is folded into the tables of sines and cosines of the queries, and into those of the
      keys.
    - x * f(c * x), as in hard swish and QuickGELU, becomes y * f(y) with y = c * x. This result is c times the original
      one. Therefore the weights that produce x are multiplied by c, and the weights of the product that reads the
      result are divided by c.

    With `reassociate` of `fast-math`, scalar factors are also merged with each other. The scalar scale of an operand of
    a product or a convolution is then folded into the weights. These rewrites are applied even if a quantiser then
    rounds a value to another integer.

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
    If convolutions read the same value, and their results are concatenated along the channels, the pass concatenates
    their filters instead. Then one convolution computes all channels. The convolutions must have channels first, equal
    strides and no groups. The pass also accepts elementwise functions between the convolutions and the concatenation,
    if they are the same for each result. The estimated time has to decrease.

    If filters have different sizes, the smaller ones are padded with zeros. This needs `zero-products` of `fast-math`,
    because an infinity times such a zero is NaN.

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
  let summary = "centre the weights that produce inputs of layer norms, and remove the mean subtraction";
  let description = [{
    A layer norm first subtracts the mean along the trailing axis. Its input is often a sum, such as the residual stream
    of a transformer. The addends are products with weights, rows of embedding tables, and constants. This pass
    *centres* the weights, tables and constants: it subtracts their mean along that axis. Then the sum has mean zero,
    and the layer norms that read it need not subtract the mean. Any other addend is centred at run time, if this costs
    less than the subtractions in the layer norms.

    The rewrite is applied only if all users of the sum are layer norms or further sums of this kind. Weights are
    assumed to be finite. Results are equal up to rounding.

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
  let summary = "rewrite ops to the forms with the fewest kernels";
  let description = [{
    The device's compiler lowers some ops to more kernels than other ops that compute the same. Examples of the rewrites
    are:

    - A 1x1 convolution with channels last becomes a matrix product.
    - A bias that is added to a product becomes the third operand of the product.
    - The mean of an image becomes a pool.
    - A float32 layer norm is decomposed into its steps.

    ```mlir
    %0 = forge.matmul %x, %w : (tensor<2x8x16xf32>, tensor<16x24xf32>) -> tensor<2x8x24xf32>
    %1 = forge.add %0, %bias : (tensor<2x8x24xf32>, tensor<24xf32>) -> tensor<2x8x24xf32>
    // becomes
    %1 = forge.matmul %x, %w, %bias : (tensor<2x8x16xf32>, tensor<16x24xf32>, tensor<24xf32>) -> tensor<2x8x24xf32>
    ```
  }];
  let options = [Option<"keepPadding", "keep-padding", "bool", "false",
                        "do not rewrite means and layer norms, and do not add biases to products; use it before --forge-fill-tile-padding, which fills the padding of the former, and cannot predict the padding of products with a bias">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeColumnProductsPass : Pass<"forge-column-products", "::mlir::func::FuncOp"> {
  let summary = "rewrite rotary embeddings as matrix products (with zero-products of fast-math)";
  let description = [{
    In a rotary embedding of x, each column of the result is the sum of two columns of x, each multiplied by a weight.
    The pass rewrites a float32 embedding as x * a + (x * b) M. Here, a and b are weights, and the product with the
    matrix M exchanges columns. The new form has three calls: two multiplications, and a product whose bias is x * a.
    The rewrite is applied only to embeddings with at most 256 columns, and only if it saves calls and adds no kernels.

    It needs `zero-products` of `fast-math`, because M has zeros, and an infinity times zero is NaN. Without this
    option, the pass does nothing.
  }];
  let options = [fastMathOption];
}

def ForgeJoinProjectionsPass : Pass<"forge-join-projections", "::mlir::func::FuncOp"> {
  let summary = "merge projections of one value, such as queries, keys and values";
  let description = [{
    Matrix products of one value with different weights are merged to one product, if the ops after the products are
    equal. These ops are then applied once to the merged result. For example, queries, keys and values are reshaped and
    transposed together. Last, the result is sliced.

    The merge must decrease the number of calls or the estimated time, and must increase neither.

    ```mlir
    %a = forge.matmul %x, %wa : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    %b = forge.matmul %x, %wb : (tensor<6x8xf32>, tensor<8x2xf32>) -> tensor<6x2xf32>
    %c = forge.relu %a : tensor<6x4xf32>
    %d = forge.relu %b : tensor<6x2xf32>
    // becomes
    %w = forge.concatenate %wa, %wb axis -1 : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<8x6xf32>
    %m = forge.matmul %x, %w : (tensor<6x8xf32>, tensor<8x6xf32>) -> tensor<6x6xf32>
    %r = forge.relu %m : tensor<6x6xf32>
    %c = forge.index %r dim -1 [0:4] : (tensor<6x6xf32>) -> tensor<6x4xf32>
    %d = forge.index %r dim -1 [4:6] : (tensor<6x6xf32>) -> tensor<6x2xf32>
    ```
  }];
  let options = [Option<"keepTiles", "keep-tiles", "bool", "false",
                        "do not merge products of whole tiles; use it after --forge-divisibility-rewrite, which separates such products">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeJoinSlicesPass : Pass<"forge-join-slices", "::mlir::func::FuncOp"> {
  let summary = "merge equal ops on slices of one value";
  let description = [{
    If equal ops are applied to several slices of a value, the pass applies them once, to the slice that covers all of
    these slices. Then it slices the result. Examples are the rotary embedding of queries and keys, and an activation
    after merged products.

    The merge must decrease the number of calls or the estimated time, and must increase neither.

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
                        "do not merge heads of whole tiles; use it after --forge-divisibility-rewrite, which separates such heads">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

#endif

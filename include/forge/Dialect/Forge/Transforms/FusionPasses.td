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
    GELU (by erf or tanh) becomes forge.gelu. A layer norm with a scale over the trailing axis becomes
    forge.layernorm. a / (1 + exp(-x)) becomes a * sigmoid(x), which includes SiLU. Min and Max with two scalar
    constants, as in HardSwish, become forge.clip. x^-0.5 in an RMS norm becomes 1 / sqrt(x). An interleaved rotary
    embedding, which computes on even and odd elements separately, becomes x * a + swap(x) * b, where swap exchanges
    neighbouring elements, and a and b are weights.

    Products match in any order, written as divisions, multiplications or powers, and with constants up to rounding.
    An intermediate value with users outside of the pattern is kept for these users.

    Forge has no call for SiLU, HardSwish, RMS norm or attention; these remain sequences of ops.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeMergeEqualPass : Pass<"forge-merge-equal", "::mlir::func::FuncOp"> {
  let summary = "merge equal ops";
  let description = [{
    Ops of the same kind with equal operands and attributes are merged, and ops without users are removed, as by
    --cse. This pass takes less time, and accepts only functions with one block.

    ```mlir
    %0 = forge.relu %x : tensor<2xf32>
    %1 = forge.relu %x : tensor<2xf32>   // becomes %0
    ```
  }];
}

def ForgeJoinRecurrentPass : Pass<"forge-join-recurrent", "::mlir::func::FuncOp"> {
  let summary = "merge independent recurrent layers of equal form";
  let description = [{
    Finds equal sequences of ops, with products among them, on slices of several values, such as recurrent layers
    over the rows and over the columns of an image. If they are independent, their values get a leading axis for the
    layers, starting with the slices. Other operands are concatenated once, and results are sliced for other users. The
    number of calls has to decrease, and the number of kernels must not increase.

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
    Applies the canonical forms of forge.reshape and forge.transpose. Unlike --canonicalize it does not fold
    constants, which would lose the correspondence between ONNX values and values of the program. An axis that a
    reshape splits off only to be indexed, such as that of queries, keys and values, is not split off: each index
    becomes a slice of the unsplit axis.

    ```mlir
    %0 = forge.reshape %x shape [6, 8] : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
    %1 = forge.matmul %0, %w : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    %2 = forge.reshape %1 shape [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
    // becomes
    %2 = forge.matmul %x, %w : (tensor<2x3x8xf32>, tensor<8x4xf32>) -> tensor<2x3x4xf32>
    ```
  }];
  let options = [Option<"chains", "chains", "bool", "false",
                        "rewrite chains to a minimal sequence; after --forge-channels-last, which has to see the layout "
                        "transposes individually">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeFoldWeightsPass : Pass<"forge-fold-weights", "::mlir::func::FuncOp"> {
  let summary = "fold scales and biases into weights";
  let description = [{
    Applies to float32 values, if the rewrite covers all users of the values between the scale or bias and the weights
    (`forge::AffineRegion`):

    * additions of all-zero weights and multiplications by all-one weights are removed; consecutive additions of
      integer constants are merged; an outer product of two weights, as for the angles of rotary embeddings, becomes
      an elementwise multiplication;
    * a per-channel scale of a convolution, a per-column scale of a matrix product, or a scalar scale is folded into
      the weights, also across reshapes, transposes, sums with weights, and a product of two activations (the scale
      of an attention is folded into the projection of its queries, or into their columns of a merged projection);
    * a per-channel bias of a convolution is folded into its bias;
    * a per-channel scale of a value that only convolutions read is folded into their filters, and a bias, if they
      are 1x1 convolutions, into their biases (a batch norm before a convolution);
    * sums and differences of convolutions of one value, and of that value with a per-channel scale, become one
      convolution with the sum of the filters (the branches of RepVGG and MobileOne);
    * a scale and a bias along the trailing axis, as at the end of a norm, are folded into the matrix products that
      read them, the bias through the weights into the bias of the product. If sums read the norm too, as in a
      residual network, the bias is folded into the product that the sum adds;
    * if queries, keys and values are interleaved by heads, the columns of their projection are permuted, so that
      each is one slice of neighbouring heads;
    * a scalar scale after a rotary embedding is hoisted into the projection before it, or, with norms between them,
      its square root into the tables of sines and cosines of queries and of keys; the negation of one half is folded
      into the table of sines;
    * x * f(c * x), as in hard swish and QuickGELU, becomes y * f(y) with y = c * x, if x is a product with weights and
      only products with weights read the result; the weights that produce x are multiplied by c, and those that read
      the result are divided by c;
    * the constant factor of a mask is folded into the selection: where(constant * mask, x, y) with scalars x and y
      becomes where(mask, z, y) with a weight z;
    * a scale of an operand of a matrix product that cannot be folded into weights is applied to the product: once
      for both operands, and not between a transpose and its product.

    The arithmetic on weights is evaluated when the weights file is written. Results are equal up to rounding.

    With `reassociate` of `fast-math`, scalar factors are also merged, and the scale of an operand of a product or a
    convolution is folded into its weights. The results of quantisers may then differ: a value that is close to
    halfway between two steps may be rounded to the other step.

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
    Convolutions of one value with the same strides, which are followed by the same elementwise functions and
    concatenated along the channels, become one convolution with the concatenated filters. If their kernel sizes
    differ, smaller filters are padded with zeros, if the saved calls and bytes are worth more than the additional
    multiply-adds (docs/cost.md). An infinity times such a zero is NaN. Therefore padding is used only with
    `zero-products` of `fast-math`. Only convolutions
    with channels first and without groups are merged.

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
    A layer norm begins with the subtraction of the mean of the trailing axis. If its input is a sum of products
    with weights, rows of tables, and constants, as the residual stream of a transformer with norms before its
    layers, these weights are centred along that axis: then the sum has mean zero, and the subtraction is removed
    from the norms of the sum. All users of the sum have to be such sums and norms. The result of a norm without
    scale and bias has mean zero already; any other addend is centred once, if that costs less than the subtractions
    in the norms.

    The weights are centred when the weights file is written; they are assumed to be finite. Results are equal up to
    rounding.

    ```mlir
    %x = forge.matmul %a, %w : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %y = forge.layernorm %x, %one, %zero dim -1 epsilon 9.99999974E-6 : ...
    // becomes
    %m = forge.reduce_avg %w dim 1 keep_dim : (tensor<16x16xf32>) -> tensor<16x1xf32>                 // no call
    %v = forge.subtract %w, %m : (tensor<16x16xf32>, tensor<16x1xf32>) -> tensor<16x16xf32>           // no call
    %x = forge.matmul %a, %v : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %s = forge.multiply %x, %x : tensor<1x8x16xf32>
    %n = forge.reduce_avg %s dim -1 keep_dim : (tensor<1x8x16xf32>) -> tensor<1x8x1xf32>
    // ... plus epsilon, the root, and x over it
    ```
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeKernelFormsPass : Pass<"forge-kernel-forms", "::mlir::func::FuncOp"> {
  let summary = "rewrite ops to the form with the fewest kernels";
  let description = [{
    A 1x1 convolution with channels last becomes a matrix product; a bias after a product becomes its third operand;
    a product with a reciprocal becomes a quotient; the mean of an image becomes a pool; a mean of the trailing axis
    plus a constant becomes a product with a column and a bias; and a layer norm becomes its steps, which are fewer
    kernels than the call. Reshapes and repeats that broadcasting makes unnecessary are removed, and so are kernel
    positions of a convolution that only ever read padding.

    ```mlir
    %0 = forge.matmul %x, %w : (tensor<2x8x16xf32>, tensor<16x24xf32>) -> tensor<2x8x24xf32>
    %1 = forge.add %0, %bias : (tensor<2x8x24xf32>, tensor<24xf32>) -> tensor<2x8x24xf32>
    // becomes
    %1 = forge.matmul %x, %w, %bias : (tensor<2x8x16xf32>, tensor<16x24xf32>, tensor<24xf32>) -> tensor<2x8x24xf32>
    ```
  }];
  let options = [Option<"keepPadding", "keep-padding", "bool", "false",
                        "do not rewrite layer norms and biases, whose padding --forge-fill-tile-padding handles">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeColumnProductsPass : Pass<"forge-column-products", "::mlir::func::FuncOp"> {
  let summary = "rewrite rotary embeddings as matrix products, with fast-math=zero-products";
  let description = [{
    Does nothing without `zero-products` of `fast-math`, because an infinity times a zero of the matrix makes the
    whole row NaN.

    A sum of columns of one float32 value, each multiplied by a weight or a scalar, in which each column of the
    result reads the column at its own position and one other, is x * a + (x * b) M with a matrix M of zeros and
    scalars: a product with a bias and two multiplications, which are three calls. Rotary embeddings by halves or by
    pairs, of all or of some columns, have this form. The rewrite is applied if it has fewer calls and no more
    kernels, for at most 256 columns. Columns that are only moved are unchanged, because they may be those of a mask
    with infinities.

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
    If the same ops with the same other operands are applied to neighbouring slices of a value, they are applied
    once to the slice that covers them, and the result is sliced: the rotary embedding of queries and keys, or an
    activation after products that were merged. Products of one value with different weights become columns of one
    product, if the ops after them can be merged too, and more calls are saved than added: queries, keys and values
    are reshaped and transposed together, and then sliced. The number of calls has to decrease, and the number of
    kernels must not increase. At the end, columns are sliced before they become heads, if the device moves fewer
    bytes in that order.

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

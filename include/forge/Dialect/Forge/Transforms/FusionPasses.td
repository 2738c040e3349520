//===- FusionPasses.td - passes that make fewer calls -------------*- tablegen -*-===//
//
// Included by Passes.td, which has the options that they share. In the order of the pipeline; what they do is in
// lib/Dialect/Forge/Transforms/Fusion.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_TRANSFORMS_FUSIONPASSES
#define FORGE_DIALECT_FORGE_TRANSFORMS_FUSIONPASSES

include "mlir/Pass/PassBase.td"

def ForgeFusePatternsPass : Pass<"forge-fuse-patterns", "::mlir::func::FuncOp"> {
  let summary = "recognise functions that exporters spell out";
  let description = [{
    GELU (erf and tanh forms) becomes forge.gelu; a layer norm with a scale, over the last axis, becomes forge.layernorm;
    a / (1 + exp(-x)) becomes a * sigmoid(x), which covers SiLU; min and max with two numbers, as in HardSwish, become
    forge.clip; and an RMS norm by a power becomes one by a root.
    Products match in any order, by division or multiplication, and by powers; their constants up to rounding. What else
    uses an intermediate value keeps it.

    Forge has no call for SiLU, HardSwish, RMS norm or attention: their compositions stay.
  }];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeFoldWeightsPass : Pass<"forge-fold-weights", "::mlir::func::FuncOp"> {
  let summary = "put scales and biases into the weights of the products beside them";
  let description = [{
    In float32, where all that reads what is between takes part (forge::AffineRegion):

    * weights of zeros that are added, and of ones that are factors, go; numbers that are added to integers one after the
      other are one; a column of weights times a row of them, as the angles of rotary embeddings, is a product per element;
    * a factor per channel of a convolution, per column of a matrix product, or one for all of it, becomes part of the
      weights, also through reshapes and transposes, sums with weights, and a product of two activations (the scale of an
      attention goes into the projection of its queries, or into their columns of a joined one);
    * a term per channel of a convolution becomes its bias;
    * a factor per channel of what convolutions alone read goes into their filters, a term through those of single pixels
      into their biases, as a batch norm in front of them;
    * sums and differences of convolutions of one value, and of that value times a factor per channel, are one
      convolution with the sum of the filters: the branches of RepVGG and MobileOne;
    * a scale and a term per item of the last axis, as norms end in, go into the matrix products that alone read them, the
      term through the weights into the term of the product; where sums read the norm too, as in a residual network, the
      term goes into the product that the sum adds;
    * where queries, keys and values stand side by side in each head, the columns of their projection get the order of
      their own: each is a slice of neighbouring heads;
    * a number behind a rotary embedding goes into the projection in front of it, or, where norms stand between, its root
      into the tables of queries and keys; the sign of the turned half goes into the table;
    * x * f(c * x) of a product x with weights, as hard swish and QuickGELU are, becomes y * f(y) with y = c * x, where
      products with weights alone read it: they are divided by c;
    * a mask of which a part is a constant chooses between weights: where(known * given, x, y) of numbers x and y is
      where(given, z, y);
    * a scale of an operand of a matrix product that finds no weights is applied to the product: once for both operands,
      and with nothing between a transpose and its product.

    The arithmetic on weights is done when they are written. Results stay what they were, up to rounding.

    With `reassociate` of `fast-math` also factors of one element join, and one that an operand of a product or
    convolution has goes into its weights. Quantisers have such factors: what lies close to the middle between two steps
    may then be rounded to the other.

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
  let summary = "make one convolution of those of one value whose results are put side by side";
  let description = [{
    Convolutions of one value, with the same strides, followed by the same functions and concatenated along the channels,
    become one convolution with the filters of all. Where their windows differ, filters get zeros around them, if the calls
    and bytes that are saved are worth more than the multiply-adds with zeros (docs/cost.md). An infinity times such a zero
    is NaN: it is done where all that reads the result mixes its channels, as a convolution does, and what lies between
    leaves no infinity finite, as Relu and Sigmoid do, or with `zero-products` of `fast-math`. Channels first, no groups.

    ```mlir
    %a = forge.conv2d %x, %v padding [0, 0, 0, 0] : (tensor<1x16x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
    %b = forge.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x8x8xf32>
    %y = forge.concatenate %a, %b axis 1 : (tensor<1x32x8x8xf32>, tensor<1x32x8x8xf32>) -> tensor<1x64x8x8xf32>
    // becomes
    %f = ...       // %v with zeros around its only tap, and %w: no call
    %y = forge.conv2d %x, %f padding [1, 1, 1, 1] : (tensor<1x16x8x8xf32>, tensor<64x16x3x3xf32>) -> tensor<1x64x8x8xf32>
    ```
  }];
  let options = [fastMathOption];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeJoinMovementPass : Pass<"forge-join-movement", "::mlir::func::FuncOp"> {
  let summary = "join chains of reshapes and transposes, and drop those that undo one another";
  let description = [{
    The canonical forms of forge.reshape and forge.transpose, without the folding of --canonicalize, which would lose which
    value of the program is which ONNX value. Items of an axis, as of queries, keys and values in one tensor, become slices
    of the axis behind it.

    ```mlir
    %0 = forge.reshape %x shape [6, 8] : (tensor<2x3x8xf32>) -> tensor<6x8xf32>
    %1 = forge.matmul %0, %w : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    %2 = forge.reshape %1 shape [2, 3, 4] : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
    // becomes
    %2 = forge.matmul %x, %w : (tensor<2x3x8xf32>, tensor<8x4xf32>) -> tensor<2x3x4xf32>
    ```
  }];
  let options = [Option<"chains", "chains", "bool", "false",
                        "chains of reshapes and transposes in as few calls as there can be: behind --forge-channels-last, which "
                        "knows the turns of channels one by one">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeCentreNormsPass : Pass<"forge-centre-norms", "::mlir::func::FuncOp"> {
  let summary = "take the means that layer norms subtract out of weights";
  let description = [{
    A layer norm takes the mean of the last axis off first. Where what it reads is a sum of products with weights, rows of
    tables and constants, as in the residual stream of a transformer that norms in front of its layers, those get weights
    whose own mean along that axis is taken off: the sum has no mean then, and its norms are the other steps alone. All
    that is made of such a sum must be such sums and norms. What a norm without scale and bias gives has no mean itself; any
    other term that is no product is centred once, where that is less than its norms would do.

    The weights are changed when they are written; they count as finite. Results stay what they were, up to rounding.

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
  let summary = "write ops in the form that takes the device fewest kernels";
  let description = [{
    A convolution of single pixels with channels last becomes a product of the tensor itself, a term of the columns the bias
    of its product, a product with a reciprocal a quotient, the mean of an image a pool of all of it, a mean of the last
    axis and a number a product with a column and its term, and a layer norm its steps, of which the device computes fewer
    than of the call. Reshapes and repeats that only give a tensor axes which broadcasting gives it anyway go. Taps of a
    convolution that meet padding alone are dropped.

    ```mlir
    %0 = forge.matmul %x, %w : (tensor<2x8x16xf32>, tensor<16x24xf32>) -> tensor<2x8x24xf32>
    %1 = forge.add %0, %bias : (tensor<2x8x24xf32>, tensor<24xf32>) -> tensor<2x8x24xf32>
    // becomes
    %1 = forge.matmul %x, %w, %bias : (tensor<2x8x16xf32>, tensor<16x24xf32>, tensor<24xf32>) -> tensor<2x8x24xf32>
    ```
  }];
  let options = [Option<"keepPadding", "keep-padding", "bool", "false",
                        "leave layer norms and terms alone: --forge-fill-tile-padding knows more of their padding">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeColumnProductsPass : Pass<"forge-column-products", "::mlir::func::FuncOp"> {
  let summary = "write rotary embeddings as matrix products, with fast-math=zero-products";
  let description = [{
    Does nothing without `zero-products` of `fast-math`: an infinity times a zero of the matrix is NaN in all of its row.

    What is a sum of columns of one float32 value, each times a table of weights or a number, where one column stays in its
    place and one comes from another, is x * a + (x * b) M with a matrix M of zeros and numbers: a product, its term, and
    two factors, in three calls. Slices of halves, pairs of columns and what stands beside the turned ones are all of this
    form. It is taken where it has fewer calls and no more kernels; up to 256 columns. Columns that only move stay as they
    are: they may be those of a mask, which has infinities.

    ```mlir
    %p = forge.multiply %x, %cos : ...
    %a = forge.index %x dim -1 start 4 stop 8 stride 1 : ...
    %b = forge.index %x dim -1 start 0 stop 4 stride 1 : ...
    %t = forge.concatenate %a, %b axis -1 : ...
    %q = forge.multiply %t, %sin : ...
    %y = forge.add %p, %q : ...
    // becomes
    %turned = forge.adv_index %sin, %columns dim -1 : ...      // no call
    %p = forge.multiply %x, %cos : ...
    %q = forge.multiply %x, %turned : ...
    %y = forge.matmul %q, %matrix, %p : ...
    ```
  }];
  let options = [fastMathOption];
}

def ForgeJoinSlicesPass : Pass<"forge-join-slices", "::mlir::func::FuncOp"> {
  let summary = "do to neighbouring slices at once what is done to each of them";
  let description = [{
    Where the same ops, with the same other operands, are done to slices of a value that lie side by side, they are done to
    the slice of all of them, and what comes out is cut: the rotary embedding of queries and keys, an activation behind
    products that were joined. Products of one value with weights of their own are columns of one product, where what is
    done to them saves more than that: queries, keys and values become heads together, by one product, one reshape and one
    transpose, and a slice for each. Calls must become fewer, and kernels no more. Slices of a slice become slices of its
    source.

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
                        "leave heads of whole tiles apart, as --forge-divisibility-rewrite has them">];
  let dependentDialects = ["::forge::ForgeDialect"];
}

def ForgeMergeEqualPass : Pass<"forge-merge-equal", "::mlir::func::FuncOp"> {
  let summary = "compute equal values once";
  let description = [{
    Ops of the same kind, operands and attributes become one, and what nothing reads goes. That is --cse, faster, for
    functions of one block.

    ```mlir
    %0 = forge.relu %x : tensor<2xf32>
    %1 = forge.relu %x : tensor<2xf32>   // becomes %0
    ```
  }];
}

#endif

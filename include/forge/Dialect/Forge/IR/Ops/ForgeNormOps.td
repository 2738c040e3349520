//===- ForgeNormOps.td - softmax and normalisation ----------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGENORMOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGENORMOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

class Forge_SoftmaxLikeOp<string opMnemonic, string function, string lowering>
    : Forge_CallOp<opMnemonic, function, lowering, [AxisOpInterface]> {
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim, BoolAttr:$stable);
  let description = [{
    With `stable`, the maximum along `dim` is subtracted before the exponential function is applied.

    - (C1) The operand is floating point.
    - (C2) `dim` is in [-rank, rank).

    ```mlir
    %y = forge.}] # opMnemonic # [{ %x dim -1 stable : tensor<2x3xf32>
    ```
  }];
}

def Forge_SoftmaxOp : Forge_SoftmaxLikeOp<"softmax", "Softmax", "SoftmaxOp"> {
  let summary = "softmax along dim";
  let padding = "Softmax";
  // A stable softmax divides by a sum of at least 1, and each dividend is one of its addends.
  let range = "getStable() ? Interval::boolean() : rounded(Interval::boolean(), getOperation())";
}
def Forge_LogSoftmaxOp : Forge_SoftmaxLikeOp<"log_softmax", "LogSoftmax", "decomposed"> {
  let summary = "logarithm of the softmax along dim";
  let padding = "LogSoftmax";
}

def Forge_LayernormOp : Forge_CallOp<"layernorm", "Layernorm", "decomposed"> {
  let summary = "layer normalisation over the last axis";
  let description = [{
    - (C1) All operands have one floating-point element type.
    - (C2) `dim` is the last axis.
    - (C3) `weights` and `bias` have as many elements as the last axis of `operandA`, all along their last axis.

    ```mlir
    %y = forge.layernorm %x, %scale, %bias dim -1 epsilon 9.99999974E-6 : (tensor<1x8x16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<1x8x16xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$weights, Forge_Tensor:$bias, Forge_IntAttr:$dim, F32Attr:$epsilon);
  let padding = "LayerNorm";
  let kernels = 10;
}

def Forge_BatchnormOp : Forge_CallOp<"batchnorm", "Batchnorm", "BatchNormInferenceOp"> {
  let summary = "batch normalisation along axis 1, by given means and variances";
  let description = [{
    - (C1) All operands have one floating-point element type. `operandA` has rank 2 or more.
    - (C2) `weights`, `bias`, `running_mean` and `running_var` have shape [C], where C is the size of axis 1.

    ```mlir
    %y = forge.batchnorm %x, %scale, %bias, %mean, %var epsilon 9.99999974E-6 : (tensor<1x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x8x8xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$weights, Forge_Tensor:$bias, Forge_Tensor:$running_mean,
                       Forge_Tensor:$running_var, F32Attr:$epsilon);
}

#endif

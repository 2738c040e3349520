//===- ForgeMatmulOps.td - matrix products -----------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEMATMULOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEMATMULOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_MatmulOp : Forge_CallOp<"matmul", "Matmul", "MatmulOp", [Forge_Evaluates]> {
  let summary = "matrix product with broadcast batch axes, plus an optional bias";
  let description = [{
    - (C1) All operands have the same element type, or some have f32 and the others have one floating-point type of 16
      bits. In the second case, the result has f32.
    - (C2) `operandA` and `operandB` have rank 1 or more. Operands of rank 1 have the meaning that they have in NumPy's
      matmul.
    - (C3) The last axis of `operandA` and the second to last axis of `operandB` have the same size. If `operandB` has
      rank 1, its only axis has this size.
    - (C4) The batch axes, which are all but the last two, broadcast as in NumPy.
    - (C5) The bias broadcasts to the shape of the product.

    ```mlir
    %y = forge.matmul %x, %w, %bias : (tensor<1x8x16xf32>, tensor<16x4xf32>, tensor<4xf32>) -> tensor<1x8x4xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$operandB, Optional<Forge_Tensor>:$bias);
  let padding = "Matmul";
  let range = [{
    rounded(sums(operands[0] * operands[1], shapeOf(getOperandA()).back()) +
            (getBias() ? operands[2] : Interval::number(0)), getOperation())
  }];
}

#endif

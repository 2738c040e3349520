//===- ForgeReductionOps.td - reductions --------------------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEREDUCTIONOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEREDUCTIONOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

class Forge_ReduceOp<string opMnemonic, string function, string lowering, list<Trait> traits = [],
                     code check = "::mlir::success()", string constraint = "", bit needsElements = 0>
    : Forge_CallOp<opMnemonic, function, lowering,
                   traits # [DeclareOpInterfaceMethods<AxisOpInterface, ["keepsAxis"]>]> {
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim, BoolAttr:$keep_dim);
  let description = [{
    - (C1) `dim` is in [-4, 3], as Forge requires.
    - (C2) `dim` is in [-rank, rank).}] # constraint # [{

    ```mlir
    %y = forge.}] # opMnemonic # [{ %x dim -1 keep_dim : (tensor<2x3xf32>) -> tensor<2x1xf32>
    ```
  }];
  let extraClassDefinition = defineOp # [{
    bool $cppClass::keepsAxis() { return getKeepDim(); }
    ::mlir::FailureOr<::mlir::RankedTensorType> $cppClass::inferType(Adaptor op, const ::forge::Inference &infer) {
      if (failed(}] # check # [{))
        return ::mlir::failure();
      return infer.reduce(op.getOperandA(), op.getDim(), op.getKeepDim(), }] # !if(needsElements, "true", "false") # [{);
    }
  }];
}

def Forge_ReduceSumOp : Forge_ReduceOp<"reduce_sum", "ReduceSum", "SumOp", [Forge_Evaluates]> {
  let summary = "sum over one axis";
  let padding = "Sum";
  let range = "rounded(sums(operands[0], axisSize(getOperandA(), getDim())), getOperation())";
}
def Forge_ReduceAvgOp : Forge_ReduceOp<"reduce_avg", "ReduceAvg", "MeanOp", [Forge_Evaluates],
                                       [{infer.floatingPoint(op.getOperandA(), "(C3)")}],
                                       "\n    - (C3) The operand is floating point."> {
  let summary = "mean over one axis";
  let padding = "Mean";
  let range = "rounded(operands[0], getOperation())";
}
def Forge_ReduceMaxOp : Forge_ReduceOp<"reduce_max", "ReduceMax", "MaxOp", [Forge_Evaluates], "::mlir::success()",
                                       "\n    - (C3) If the result has elements, the operand has elements, too.", /*needsElements=*/1> {
  let summary = "maximum over one axis";
  let padding = "Max";
  let range = "operands[0]";
}

def Forge_ArgmaxOp : Forge_CallOp<"argmax", "Argmax", "ArgMaxOp"> {
  let summary = "index of the first maximum along an axis or in the flattened tensor, as i32";
  let description = [{
    Without `dim`, the result is one index into the elements of the operand in row-major order.

    - (C1) `dim`, if present, is in [-rank, rank).
    - (C2) If the result has elements, the operand has elements, too.

    ```mlir
    %y = forge.argmax %x dim -1 keep_dim : (tensor<2x3xf32>) -> tensor<2x1xi32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, OptionalAttr<Forge_IntAttr>:$dim, BoolAttr:$keep_dim);
  let padding = "ArgMax";
  let range = "{0, double(getDim() ? axisSize(getOperandA(), *getDim()) : tensorType(getOperandA()).getNumElements()) - 1}";
}

def Forge_CumSumOp : Forge_CallOp<"cum_sum", "CumSum", "CumSumOp", [AxisOpInterface, Forge_Evaluates]> {
  let summary = "inclusive running sum along one axis";
  let description = [{
    - (C1) `dim` is in [-rank, rank).

    ```mlir
    %y = forge.cum_sum %x dim -1 : tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim);
  let padding = "CumSum";
  let range = "rounded(sums(operands[0], axisSize(getOperandA(), getDim())), getOperation())";
}

#endif

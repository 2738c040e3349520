//===- ForgeIndexingOps.td - ops that select elements by index ----*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEINDEXINGOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEINDEXINGOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_IndexOp : Forge_CallOp<"index", "Index", "IndexOp", [AxisOpInterface, Forge_Evaluates]> {
  let summary = "a slice of one axis, with a stride";
  let description = [{
    - (C1) `dim` is in [-rank, rank). In the other constraints, size is the size of this axis.
    - (C2) 0 <= start < size
    - (C3) start < stop <= size
    - (C4) 1 <= stride <= size

    ```mlir
    %y = forge.index %x dim -1 [0:10:2] : (tensor<1x8x12xf32>) -> tensor<1x8x5xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim, Forge_IntAttr:$start, Forge_IntAttr:$stop, Forge_IntAttr:$stride);
  let attributesText = "`dim` $dim custom<Range>($start, $stop, $stride) ";
  let padding = "Index";
  let range = "operands[0]";
}

def Forge_AdvIndexOp : Forge_CallOp<"adv_index", "AdvIndex", "decomposed", [Forge_Evaluates]> {
  let summary = "gather of slices of operandA along one axis, by the indices operandB";
  let description = [{
    - (C1) `dim` is in [-rank, rank).
    - (C2) The indices are integers of rank 1. Forge flattens indices of rank 2, so that the result would not have the
      shape of ONNX's Gather.
    - (C3) Indices known at compile time are in [0, size of the axis).

    ```mlir
    %y = forge.adv_index %x, %rows dim 0 : (tensor<10x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$operandB, Forge_IntAttr:$dim);
  let padding = "Retile";
  let range = "operands[0]";
}

def Forge_SelectOp : Forge_CallOp<"select", "Select", "IndexSelectOp"> {
  let summary = "the same range of elements of each block of an axis";
  let description = [{
    The axis is divided into blocks of `stride` elements, or is one block if `stride` is 0. `index` is [begin, length].
    The result has the elements begin to begin + length - 1 of each block.

    - (C1) `dim` is in [-rank, rank), and is one of the first four axes. In the other constraints, size is the size of
      this axis.
    - (C2) `index` has 2 values, and 0 <= begin < size.
    - (C3) length > 0, and begin + length <= size.
    - (C4) 0 <= stride <= size. If `stride` is not 0, begin + length <= stride.
    - (C5) If `stride` is not 0, it divides size.

    ```mlir
    %y = forge.select %x dim 1 index [1, 2] stride 4 : (tensor<2x12xf32>) -> tensor<2x6xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim, DenseI64ArrayAttr:$index, Forge_IntAttr:$stride);
  let tuples = ["index"];
  let padding = "Retile";
  let range = "operands[0]";
}

def Forge_IndexCopyOp : Forge_CallOp<"index_copy", "IndexCopy", "", [DestinationStyleOpInterface]> {
  let summary = "replacement of the slices of operandA at given indices of an axis; the device's compiler has no lowering for it";
  let description = [{
    Slice i of `value` along `dim` replaces slice index[i] of `operandA`.

    - (C1) `dim` is in [-rank, rank).
    - (C2) `index` has integers, and rank 1.
    - (C3) `value` has the type of `operandA`, except that its size along `dim` is the number of indices.

    ```mlir
    %y = forge.index_copy %x, %index, %value dim 1 : (tensor<2x3x4xf32>, tensor<2xi32>, tensor<2x2x4xf32>) -> tensor<2x3x4xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$index, Forge_Tensor:$value, Forge_IntAttr:$dim);
  let extraClassDeclaration = declareInferType # declareRange # declareCall # [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOperandAMutable(); }
  }];
  let padding = "Retile";
  let range = "unite({operands[0], operands[2]})";
}

def Forge_EmbeddingOp : Forge_CallOp<"embedding", "Embedding", "EmbeddingOp", [Forge_Evaluates]> {
  let summary = "lookup of rows of a table; the result has the axes of the indices, followed by the columns of the table";
  let description = [{
    - (C1) `embedding_table` has rank 2.
    - (C2) `indices` has integers.
    - (C3) Indices known at compile time are in [0, number of rows).

    ```mlir
    %y = forge.embedding %indices, %table : (tensor<2x7xi32>, tensor<10x4xf32>) -> tensor<2x7x4xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$indices, Forge_Tensor:$embedding_table);
  let kernels = 4;
  let padding = "Retile";
  let range = "operands[1]";
}

#endif

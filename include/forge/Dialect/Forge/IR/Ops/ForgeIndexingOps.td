//===- ForgeIndexingOps.td - ops that select elements by index ----*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEINDEXINGOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEINDEXINGOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_IndexOp : Forge_CallOp<"index", "Index", "IndexOp", [AxisOpInterface, Forge_Evaluates]> {
  let summary = "a strided slice of one axis";
  let description = [{
    (C1) dim lies inside the rank. (C2) 0 <= start < size. (C3) start < stop <= size. (C4) 1 <= stride <= size.

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
  let summary = "gather of whole slices along one axis";
  let description = [{
    (C1) dim lies inside the rank. (C2) the indices are integers of rank 1. Forge flattens indices of
    rank 2, so that the result would not have the shape of ONNX's Gather.
    (C3) indices known at compile time lie in [0, size).

    ```mlir
    %y = forge.adv_index %x, %rows dim 0 : (tensor<10x4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$operandB, Forge_IntAttr:$dim);
  let padding = "Retile";
  let range = "operands[0]";
}

def Forge_SelectOp : Forge_CallOp<"select", "Select", "IndexSelectOp"> {
  let summary = "a part of each block of an axis";
  let description = [{
    The axis is divided into blocks of `stride` elements. The result has the elements begin to begin + length - 1 of each
    block, where `index` = [begin, length].
    (C1) dim lies inside the rank and is at most 3. (C2) 0 <= begin < size. (C3) begin + length <= size, length > 0.
    (C4) stride <= size; begin + length <= stride, where stride 0 means the whole axis.
    (C5) stride divides the size of the axis.

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
  let summary = "operandA with the slices at `index` along dim replaced by `value`";
  let description = [{
    (C1) dim lies inside the rank. (C2) index has rank 1.
    (C3) value has the type of operandA, except that its size along dim is that of index.

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
  let summary = "lookup of rows of a table: the result has the axes of the indices, followed by the columns of the table";
  let description = [{
    (C1) the table has rank 2. (C2) the indices are integers.
    (C3) indices known at compile time lie in [0, rows).

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

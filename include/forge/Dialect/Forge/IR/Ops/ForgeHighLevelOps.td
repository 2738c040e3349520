//===- ForgeHighLevelOps.td - ops without a Forge call ------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEHIGHLEVELOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEHIGHLEVELOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Forge_SplitOp : Forge_Op<"split", [InferTypeOpAdaptor, Forge_Evaluates]> {
  let summary = "consecutive slices of one axis, which together cover it; lowered by --forge-lower-split";
  let description = [{
    - (C1) `dim` is in [-rank, rank).
    - (C2) `sizes` has at least one value, and all values are at least 0.
    - (C3) The sum of `sizes` is the size of the axis.

    ```mlir
    %qkv:3 = forge.split %x dim -1 sizes [64, 64, 64] : (tensor<1x8x192xf32>) -> (tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>)
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim, DenseI64ArrayAttr:$sizes);
  let results = (outs Variadic<Forge_Tensor>:$outputs);
  let typesText = "functional-type(operands, results)";
  let extraClassDefinition = defineBytecode;
  let range = "operands[0]";
}

def Forge_StridedSliceOp : Forge_InferOp<"strided_slice", [Forge_Evaluates]> {
  let summary = "slices begin:end:stride of several axes; lowered by --forge-lower-strided-slice";
  let description = [{
    `begin` and `end` have the meaning of `starts` and `ends` of ONNX's Slice. A negative value counts from the end of
    the axis, and a value outside of the axis is clamped.

    - (C1) `axes`, `begin`, `end` and `strides` have equal lengths.
    - (C2) The axes are distinct, and in [-rank, rank).
    - (C3) No stride is 0.

    ```mlir
    %y = forge.strided_slice %x dim 1 [0:10:2] dim -1 [-3:9223372036854775807] : (tensor<1x10x8xf32>) -> tensor<1x5x3xf32>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, DenseI64ArrayAttr:$axes, DenseI64ArrayAttr:$begin, DenseI64ArrayAttr:$end,
                       DenseI64ArrayAttr:$strides);
  let attributesText = "`` custom<Ranges>($axes, $begin, $end, $strides) ";
  let extraClassDeclaration = declareInferType # declareRange # [{
    // One clamped range per sliced axis; axes are counted from the front.
    ::llvm::SmallVector<::forge::AxisSliceRange> getRanges();
  }];
  let range = "operands[0]";
}

def Forge_QuotientOp : Forge_InferOp<"quotient", [Forge_Evaluates]> {
  let summary = "integer quotient operandA / operandB, rounded towards zero; lowered by --forge-lower-integers";
  let description = [{
    A quotient with divisor 0 is undefined, and is not folded.

    - (C1) The operands have one integer element type.
    - (C2) Their shapes broadcast as in NumPy.

    ```mlir
    %y = forge.quotient %a, %b : tensor<2x3xi64>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$operandB);
  let range = "::forge::quotient(operands[0], operands[1])";
}

def Forge_WrapIndexOp : Forge_InferOp<"wrap_index", [Forge_Evaluates]> {
  let summary = "indices of an axis, with negative indices counted from its end; lowered by --forge-lower-integers";
  let description = [{
    `size` is added to negative indices. For an index outside [-size, size), which is an error in ONNX, the result is
    undefined.

    - (C1) The indices are integers.
    - (C2) `size` is at least 0.

    ```mlir
    %y = forge.wrap_index %i size 9 : tensor<2xi64>
    ```
  }];
  let arguments = (ins Forge_Tensor:$indices, Forge_IntAttr:$size);
  let range = "wrapIndex(operands[0], getSize())";
}

def Forge_RunOp : Op<Forge_Dialect, "run", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "call of one partition of a partitioned model";
  let description = [{
    The op occurs only in the driver, the function that calls the partitions of a model in order. The operands have ONNX
    types. For a device partition, `forge_mlir.run` converts i64 to i32 and rank 0 to shape [1], and checks that the
    values fit.

    - (C1) `callee` names a device function or a CPU function with as many arguments and results as this op has operands
      and results.

    ```mlir
    func.func private @device(%x: tensor<2x3xf32>) -> tensor<2x3xf32> attributes {forge.partition = "device"} {
      return %x : tensor<2x3xf32>
    }
    func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %y = forge.run @device(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      return %y : tensor<2x3xf32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = Forge_Bytecode<true>.definition;
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)";
}

#endif

//===- ForgeHighLevelOps.td - ops without a Forge call ------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGEHIGHLEVELOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGEHIGHLEVELOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Forge_SplitOp : Forge_Op<"split", [InferTypeOpAdaptor, Forge_Evaluates]> {
  let summary = "pieces of one axis, in order; lowered by --forge-lower-split";
  let description = [{
    (C1) dim lies inside the rank. (C2) there is at least one size and none is negative.
    (C3) the sizes add up to the axis.

    ```mlir
    %qkv:3 = forge.split %x dim -1 sizes [64, 64, 64] : (tensor<1x8x192xf32>) -> (tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>)
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_IntAttr:$dim, DenseI64ArrayAttr:$sizes);
  let results = (outs Variadic<Forge_Tensor>:$pieces);
  let typesText = "functional-type(operands, results)";
  let extraClassDefinition = defineBytecode;
  let range = "operands[0]";
}

def Forge_StridedSliceOp : Forge_InferOp<"strided_slice", [Forge_Evaluates]> {
  let summary = "slice begin:end:stride of any axes; lowered by --forge-lower-strided-slice";
  let description = [{
    As in ONNX's Slice, a negative begin or end counts from the end of the axis, and is then limited to the axis.
    (C1) axes, begin, end and strides have one value per sliced axis. (C2) axes are distinct and inside the rank.
    (C3) strides are not zero.

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
  let summary = "quotient operandA / operandB of integers, rounded towards zero; lowered by --forge-lower-integers";
  let description = [{
    (C1) the operands have one integer element type. (C2) their shapes broadcast. A divisor of 0 has no defined result,
    and is not folded.

    ```mlir
    %y = forge.quotient %a, %b : tensor<2x3xi64>
    ```
  }];
  let arguments = (ins Forge_Tensor:$operandA, Forge_Tensor:$operandB);
  let range = "::forge::quotient(operands[0], operands[1])";
}

def Forge_WrapIndexOp : Forge_InferOp<"wrap_index", [Forge_Evaluates]> {
  let summary = "indices of an axis, counted from its front; lowered by --forge-lower-integers";
  let description = [{
    A negative index counts from the end of an axis of `size` elements. An index outside [-size, size) is an error in
    ONNX; the result for it is not defined.
    (C1) the indices are integers. (C2) size is not negative.

    ```mlir
    %y = forge.wrap_index %i size 9 : tensor<2xi64>
    ```
  }];
  let arguments = (ins Forge_Tensor:$indices, Forge_IntAttr:$size);
  let range = "wrapIndex(operands[0], getSize())";
}

def Forge_RunOp : Op<Forge_Dialect, "run", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run of one partition of a partitioned model";
  let description = [{
    Calls a device partition or a CPU partition. It occurs only in the driver, the function of a partitioned model that
    calls its partitions in order. The operands have ONNX types; `forge_mlir.run` converts i64 to i32 and rank 0 to shape
    [1] at a device partition, and checks that the values fit.
    (C1) callee names a device or CPU function with as many arguments and results.

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

//===- ForgeConstantOps.td - values known before the program runs -*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGECONSTANTOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGECONSTANTOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_ParameterOp : Forge_Op<"parameter"> {
  let summary = "a weight that stays in its file";
  let description = [{
    `key` names the weight in the table of the importer (file, offset, bytes, dtype, shape, ONNX name). The emitter
    declares it with `add_parameter` (floating point) or `add_constant` (integers). If the IR contains the weight, `blob`
    is its data in ONNX's raw layout, with its ONNX type.

    Ops that depend on weights alone are evaluated when the weights file is written, and produce no calls
    (`ComputedWeights` decides which).
    (C1) the blob is a `dense_resource` with as many elements as the result.

    ```mlir
    %w = forge.parameter "layer.weight" : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins StrAttr:$key, OptionalAttr<ElementsAttr>:$blob);
  let assemblyFormat = "$key (`blob` `(` $blob^ `)`)? attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "::mlir::RankedTensorType":$type, "::llvm::StringRef":$key), [{
    build($_builder, $_state, type, key, nullptr);
  }]>];
  let hasVerifier = 1;
  let hasFolder = 0;
  let extraClassDefinition = defineBytecode;
  let range = "Interval::ofType(getType().getElementType())";
}

def Forge_ConstantOp : Forge_Op<"constant", [ConstantLike, InferTypeOpAdaptor]> {
  let summary = "a small tensor, or a splat of any size, known at compile time";
  let description = [{
    ```mlir
    %c = forge.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let assemblyFormat = "$value attr-dict";
  let extraClassDeclaration = declareInferType # declareRange;
  let extraClassDefinition = defineOp;
  let range = "Interval::ofConstant(getValue())";
}

def Forge_ScalarConstantOp : Forge_CallOp<"scalar_constant", "Constant", "constant input"> {
  let summary = "one number as a tensor of shape [1]";
  let description = [{
    (C1) `dtype` is f32, f16, bf16 or i32. (C2) if `dtype` is i32, the value is an integer that fits.

    ```mlir
    %c = forge.scalar_constant constant 2.500000e+00 dtype f32 : tensor<1xf32>
    ```
  }];
  let arguments = (ins F32Attr:$constant, TypeAttr:$dtype);
  let kernels = 0;
  let range = "Interval::number(getConstant().convertToDouble())";
}

#endif

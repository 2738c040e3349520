//===- ForgeConstantOps.td - values known before the program runs -*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_OPS_FORGECONSTANTOPS_TD
#define FORGE_DIALECT_FORGE_IR_OPS_FORGECONSTANTOPS_TD

include "forge/Dialect/Forge/IR/ForgeBase.td"

def Forge_ParameterOp : Forge_Op<"parameter"> {
  let summary = "a weight that stays in its file";
  let description = [{
    `key` is the name of the weight in the importer's table of weights. For each weight, the table has the file, the
    offset and the type of the data. If the data are in the IR, they are the attribute `blob`, in the layout of ONNX's
    `raw_data` and with the ONNX type.

    In the emitted module, `add_parameter` declares a floating-point weight, and `add_constant` declares a weight of
    integers.

    Most ops that depend only on weights are evaluated when the weights file is written, and produce no call. The
    analysis `ComputedWeights` selects these ops.

    - (C1) `blob` is a `dense_resource` with as many elements as the result.

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
  let summary = "a tensor known at compile time: a small tensor, or a splat of any size";
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
    - (C1) `dtype` is f32, f16, bf16 or i32.
    - (C2) If `dtype` is i32, the value is an integer that fits i32.

    ```mlir
    %c = forge.scalar_constant constant 2.500000e+00 dtype f32 : tensor<1xf32>
    ```
  }];
  let arguments = (ins F32Attr:$constant, TypeAttr:$dtype);
  let kernels = 0;
  let range = "Interval::number(getConstant().convertToDouble())";
}

#endif

//===- TorchOps.td - the importer's subset of the torch dialect -*- tablegen -*-===//
//
// The three ops and five types that torch-mlir's ONNX importer can produce, wire-compatible with it in text and in
// bytecode. `torch.operator` must have exactly one inherent attribute, `name`: bytecode stores it as a property.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_TORCH_IR_TORCHOPS_TD
#define FORGE_DIALECT_TORCH_IR_TORCHOPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"

def Torch_Dialect : Dialect {
  let name = "torch";
  let cppNamespace = "::forge::torch";
  let summary = "the ops and types that torch-mlir's ONNX importer writes";
  let description = [{
    This is a part of the torch dialect of torch-mlir. Modules with these ops and types have the same text and the same
    bytecode in both dialects. Therefore Forge-MLIR can read what torch-mlir's importer writes.
  }];
  let useDefaultTypePrinterParser = 1;
}

class Torch_Type<string name, string typeMnemonic> : TypeDef<Torch_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Torch_ValueTensorType : Torch_Type<"ValueTensor", "vtensor"> {
  let summary = "a tensor. If `sizes` is empty, the rank is 0 or unknown";
  let parameters = (ins
    ArrayRefParameter<"int64_t", "the size of each axis; ShapedType::kDynamic if it is unknown">:$sizes,
    TypeParameter<"::mlir::Type", "the element type">:$dtype);
  let hasCustomAssemblyFormat = 1;
}

def Torch_NoneType : Torch_Type<"None", "none"> {
  let summary = "the type of an absent operand or result";
}

def Torch_StringType : Torch_Type<"String", "str"> {
  let summary = "the element type of a tensor of strings";
}

class Torch_ContainerType<string name, string typeMnemonic> : Torch_Type<name, typeMnemonic> {
  let parameters = (ins TypeParameter<"::mlir::Type", "the type of the contained values">:$containedType);
  let assemblyFormat = "`<` custom<NestedType>($containedType) `>`";
}

def Torch_ListType : Torch_ContainerType<"List", "list"> {
  let summary = "an ONNX sequence";
}

def Torch_OptionalType : Torch_ContainerType<"Optional", "optional"> {
  let summary = "an ONNX optional value";
}

class Torch_Op<string opMnemonic, list<Trait> traits = []> : Op<Torch_Dialect, opMnemonic, traits>;

def Torch_OperatorOp : Torch_Op<"operator"> {
  let summary = "an ONNX node";
  let description = [{
    `name` is `onnx.` and the op type of the node. Each attribute of the node is a discardable attribute of the op, with
    the prefix `torch.onnx.`. Each subgraph of the node, such as a branch of an If, is a region.

    ```mlir
    %1 = torch.operator "onnx.Softmax"(%0) {torch.onnx.axis = -1 : si64} : (!torch.vtensor<[2,8],f32>) -> !torch.vtensor<[2,8],f32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$regions);
  let assemblyFormat = "$name `(` $operands `)` attr-dict `:` functional-type($operands, $results) $regions";
}

def Torch_OperatorTerminatorOp : Torch_Op<"operator_terminator", [Terminator, HasParent<"OperatorOp">]> {
  let summary = "the end of a subgraph of an ONNX node";
  let description = [{
    The operands are the outputs of the subgraph.
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "$operands attr-dict `:` type($operands)";
}

def Torch_None : Type<CPred<"::llvm::isa<::forge::torch::NoneType>($_self)">, "!torch.none", "::forge::torch::NoneType">,
                 BuildableType<"::forge::torch::NoneType::get($_builder.getContext())">;

def Torch_ConstantNoneOp : Torch_Op<"constant.none", [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the operand for an absent optional input";
  let results = (outs Torch_None:$result);
  let assemblyFormat = "attr-dict";
}

#endif

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
  let summary = "the part of torch-mlir's torch dialect that its ONNX importer emits";
  let useDefaultTypePrinterParser = 1;
}

class Torch_Type<string name, string typeMnemonic> : TypeDef<Torch_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Torch_ValueTensorType : Torch_Type<"ValueTensor", "vtensor"> {
  let summary = "a tensor of known rank; the importer also writes rank 0 if the rank is unknown";
  let parameters = (ins
    ArrayRefParameter<"int64_t", "sizes, ShapedType::kDynamic where unknown">:$sizes,
    "::mlir::Type":$dtype);
  let hasCustomAssemblyFormat = 1;
}

def Torch_NoneType : Torch_Type<"None", "none"> {
  let summary = "the type of an absent operand or result";
}

def Torch_StringType : Torch_Type<"String", "str"> {
  let summary = "the element type of a tensor of strings";
}

class Torch_ContainerType<string name, string typeMnemonic> : Torch_Type<name, typeMnemonic> {
  let parameters = (ins "::mlir::Type":$containedType);
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
  let summary = "an ONNX node: its name is onnx.<op_type>, and its attributes are discardable attributes torch.onnx.*";
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$regions);
  let assemblyFormat = "$name `(` $operands `)` attr-dict `:` functional-type($operands, $results) $regions";
}

def Torch_OperatorTerminatorOp : Torch_Op<"operator_terminator", [Terminator, HasParent<"OperatorOp">]> {
  let summary = "ends a subgraph of an ONNX node";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "$operands attr-dict `:` type($operands)";
}

def Torch_None : Type<CPred<"::llvm::isa<::forge::torch::NoneType>($_self)">, "!torch.none", "::forge::torch::NoneType">,
                 BuildableType<"::forge::torch::NoneType::get($_builder.getContext())">;

def Torch_ConstantNoneOp : Torch_Op<"constant.none", [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "an absent optional operand";
  let results = (outs Torch_None:$result);
  let assemblyFormat = "attr-dict";
}

#endif

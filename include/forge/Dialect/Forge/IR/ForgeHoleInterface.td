//===- ForgeHoleInterface.td - what an op does to tile holes ------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_FORGEHOLEINTERFACE_TD
#define FORGE_DIALECT_FORGE_IR_FORGEHOLEINTERFACE_TD

include "mlir/IR/OpBase.td"

def HoleOpInterface : OpInterface<"HoleOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op whose kernel runs over whole tiles, holes included. Its row says what it must find there and what it leaves
    behind; an op may answer the other questions itself where its row does not fit. Of an op without this interface
    nothing is known: its results' holes may hold anything.
  }];
  let methods = [
    StaticInterfaceMethod<"the op's row of the table", "::forge::HoleRow", "getHoleRow", (ins), "",
                          [{ return ::forge::HoleRow::Opaque; }]>,
    InterfaceMethod<"what this operand's holes must hold, where values are stored as `format`", "::forge::HoleNeed",
                    "requiredFill", (ins "unsigned":$operand, "const ::forge::itd::ElementFormat &":$format), "",
                    [{ return ::forge::detail::requiredFill($_op, $_op.getHoleRow(), operand, format); }]>,
    InterfaceMethod<"the holes of the result, those of the operands being `operands`; `retile` is what a kernel leaves "
                    "that writes its tiles anew", "::forge::itd::HoleState", "transferHoles",
                    (ins "::llvm::ArrayRef<::forge::itd::HoleState>":$operands, "const ::forge::itd::HoleVal &":$retile), "",
                    [{ return ::forge::detail::transferHoles($_op, $_op.getHoleRow(), operands, retile); }]>,
    InterfaceMethod<"whether the kernel of this target does not read holes", "bool", "backendHandlesHoles",
                    (ins "const ::forge::TargetProfile &":$target), "", [{ return target.masks($_op.getHoleRow()); }]>,
  ];
}

#endif

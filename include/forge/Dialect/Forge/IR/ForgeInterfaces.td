//===- ForgeInterfaces.td - what the emitter asks of an op --------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_FORGEINTERFACES_TD
#define FORGE_DIALECT_FORGE_IR_FORGEINTERFACES_TD

include "mlir/IR/OpBase.td"

def ForgeCallOpInterface : OpInterface<"ForgeCallOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op that is exactly one `forge.op.*` call. Operands are passed by position after the name, attributes by keyword.
  }];
  let methods = [
    StaticInterfaceMethod<"the Python callee, e.g. forge.op.Add", "::llvm::StringRef", "getCallee">,
    StaticInterfaceMethod<"the TTIR op this call becomes on the device; empty when the device cannot lower it",
                          "::llvm::StringRef", "getDeviceLowering">,
    StaticInterfaceMethod<"operand and attribute names in the order of Forge's signature",
                          "::llvm::ArrayRef<::llvm::StringRef>", "getArgumentOrder">,
    StaticInterfaceMethod<"whether Forge wants this integer list as a tuple", "bool", "isTuple", (ins "::llvm::StringRef":$argument)>,
  ];
  let verify = [{ return ::forge::detail::verifyCall($_op); }];
}

#endif

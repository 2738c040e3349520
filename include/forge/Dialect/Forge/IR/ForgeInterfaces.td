//===- ForgeInterfaces.td - what passes ask of an op --------------*- tablegen -*-===//

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
    StaticInterfaceMethod<"calls of TTNN that tt-mlir makes of this call when it stands alone", "int64_t", "getKernels">,
  ];
  let verify = [{ return ::forge::detail::verifyCall($_op); }];
}

def TilePaddingOpInterface : OpInterface<"TilePaddingOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op whose kernel runs over whole tiles, padding included. Of an op without this interface nothing is known: the
    padding of its results may hold anything.
  }];
  let methods = [
    StaticInterfaceMethod<"how its kernel treats padding", "::forge::TilePaddingRow", "getTilePaddingRow">,
  ];
}

def IntervalOpInterface : OpInterface<"IntervalOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op that says between which numbers the elements of its results lie, given those of its operands. What an integer
    op would reach in mathematics counts, also on its way to a sum: where that is not in Int32, the op may overflow.
  }];
  let methods = [
    InterfaceMethod<"the interval of the results", "::forge::Interval", "inferRange",
                    (ins "::llvm::ArrayRef<::forge::Interval>":$operands)>,
  ];
}

def AxisOpInterface : OpInterface<"AxisOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op that works along one axis of its operands: it does the same to each slice of them along any other one.
  }];
  let methods = [
    InterfaceMethod<"the axis, counted from the front", "int64_t", "getWorkAxis", (ins), "", [{
      return ::forge::fromFront($_op.getDim(), ::forge::tensorType($_op->getOperand(0)).getRank());
    }]>,
    InterfaceMethod<"has the op work along another axis, counted from the front or from the back", "void", "setWorkAxis",
                    (ins "int64_t":$axis), "", [{ $_op.setDim(axis); }]>,
    InterfaceMethod<"whether the result has the axis, of some size", "bool", "keepsAxis", (ins), "", [{ return true; }]>,
  ];
}

def ConstantEvaluationOpInterface : OpInterface<"ConstantEvaluationOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op that can be computed when the model is compiled. Only ops whose Forge semantics are exact have it: forge.log and
    forge.reciprocal add 1e-10, so they are left to the device. `forge::evaluate` is how to call it.
  }];
  let methods = [
    InterfaceMethod<"the results for these operands; none where they are undefined or not exact",
                    "::llvm::SmallVector<::forge::HostTensor>", "evaluate",
                    (ins "::llvm::ArrayRef<::forge::HostTensor>":$operands), "", [{ return {}; }]>,
    StaticInterfaceMethod<"whether the result has the elements of the operand in their order, so that splats stay splats "
                          "and `evaluate` is not needed", "bool", "keepsElements", (ins), "", [{ return false; }]>,
  ];
}

// Traits of the ops: those that work along an axis, those that define `evaluate`, and those that keep all elements.
def Forge_Evaluates : DeclareOpInterfaceMethods<ConstantEvaluationOpInterface, ["evaluate"]>;
def Forge_KeepsElements : DeclareOpInterfaceMethods<ConstantEvaluationOpInterface, ["keepsElements"]>;

#endif

//===- ForgeInterfaces.td - what passes ask of an op --------------*- tablegen -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_FORGEINTERFACES_TD
#define FORGE_DIALECT_FORGE_IR_FORGEINTERFACES_TD

include "mlir/IR/OpBase.td"

def ForgeCallOpInterface : OpInterface<"ForgeCallOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op that is exactly one `forge.op.*` call. After the name, operands are positional arguments and attributes are
    keyword arguments.
  }];
  let methods = [
    StaticInterfaceMethod<"the Python callee, e.g. forge.op.Add", "::llvm::StringRef", "getCallee">,
    StaticInterfaceMethod<"the TTIR op to which the device's compiler lowers this call; empty if it cannot",
                          "::llvm::StringRef", "getDeviceLowering">,
    StaticInterfaceMethod<"operand and attribute names in the order of Forge's signature",
                          "::llvm::ArrayRef<::llvm::StringRef>", "getArgumentOrder">,
    StaticInterfaceMethod<"whether Forge requires this integer list as a tuple", "bool", "isTuple", (ins "::llvm::StringRef":$argument)>,
    StaticInterfaceMethod<"the number of TTNN calls of this call alone", "int64_t", "getKernels">,
  ];
  let verify = [{ return ::forge::detail::verifyCall($_op); }];
}

def TilePaddingOpInterface : OpInterface<"TilePaddingOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op whose kernel computes on whole tiles, including padding. The padding of the results of an op without this
    interface is unknown.
  }];
  let methods = [
    StaticInterfaceMethod<"how its kernel treats padding", "::forge::TilePaddingRow", "getTilePaddingRow">,
  ];
}

def IntervalOpInterface : OpInterface<"IntervalOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op that infers the interval of the elements of its results from those of its operands. For integers the interval
    is that without overflow, including partial sums: if it does not fit Int32, the op may overflow.
  }];
  let methods = [
    InterfaceMethod<"the interval of the results", "::forge::Interval", "inferRange",
                    (ins "::llvm::ArrayRef<::forge::Interval>":$operands)>,
  ];
}

def AxisOpInterface : OpInterface<"AxisOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op that works along one axis of its operands, and commutes with slicing along any other axis.
  }];
  let methods = [
    InterfaceMethod<"the axis, counted from the front", "int64_t", "getWorkAxis", (ins), "", [{
      return ::forge::fromFront($_op.getDim(), ::forge::tensorType($_op->getOperand(0)).getRank());
    }]>,
    InterfaceMethod<"makes the op work along another axis, counted from the front or from the back", "void", "setWorkAxis",
                    (ins "int64_t":$axis), "", [{ $_op.setDim(axis); }]>,
    InterfaceMethod<"whether the result has the axis, maybe with another size", "bool", "keepsAxis", (ins), "", [{ return true; }]>,
  ];
}

def ConstantEvaluationOpInterface : OpInterface<"ConstantEvaluationOpInterface"> {
  let cppNamespace = "::forge";
  let description = [{
    An op that can be evaluated on constants when the model is compiled, by `forge::evaluate`. Ops whose Forge semantics
    are not exact do not have it: forge.log and forge.reciprocal add 1e-10.
  }];
  let methods = [
    InterfaceMethod<"the results for these operands; none if they are undefined or not exact",
                    "::llvm::SmallVector<::forge::HostTensor>", "evaluate",
                    (ins "::llvm::ArrayRef<::forge::HostTensor>":$operands), "", [{ return {}; }]>,
    StaticInterfaceMethod<"whether the result has the elements of the operand in the same order, so that `evaluate` is not "
                          "needed", "bool", "keepsElements", (ins), "", [{ return false; }]>,
  ];
}

// Traits of the ops: those that work along an axis, those that define `evaluate`, and those that keep all elements.
def Forge_Evaluates : DeclareOpInterfaceMethods<ConstantEvaluationOpInterface, ["evaluate"]>;
def Forge_KeepsElements : DeclareOpInterfaceMethods<ConstantEvaluationOpInterface, ["keepsElements"]>;

#endif

//===- ForgeBuilderNamed.cpp - ops by name, for lowerings in Python -------===//

#include "forge/Conversion/OnnxToForge/ForgeBuilder.h"

#include "forge/Dialect/Forge/IR/NamedOp.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace forge;

SmallVector<Value> ForgeBuilder::create(StringRef opName, ArrayRef<Value> operands, DictionaryAttr attributes) {
  if (isNull(operands))
    return {};
  std::string reason;
  FailureOr<SmallVector<Type>> types;
  {
    ScopedDiagnosticHandler handler(builder.getContext(), [&](Diagnostic &diagnostic) {
      reason = messageOf(diagnostic);
      return success();
    });
    types = inferNamedOp(loc, opName, operands, attributes);
  }
  if (failed(types)) {
    onError(Code::OpConstraint, reason);
    return {};
  }
  if (!llvm::all_of(*types, [](Type type) { return isCountable(llvm::cast<RankedTensorType>(type).getShape()); })) {
    onError(Code::TooManyElements, "a result has 2^63 elements or more");
    return {};
  }
  OperationState state(loc, opName, operands, *types, attributes.getValue());
  return finish(builder.create(state));
}

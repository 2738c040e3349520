//===- Regions.cpp - device and CPU functions -----------------------------===//

#include "forge/Dialect/Forge/IR/Regions.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"

using namespace mlir;
using namespace forge;

StringRef forge::regionKind(func::FuncOp func) {
  auto kind = func->getAttrOfType<StringAttr>(kRegionAttr);
  return kind ? kind.getValue() : "";
}

bool forge::isHostFunction(func::FuncOp func) {
  StringRef kind = regionKind(func);
  return kind == "cpu" || kind == "driver";
}

LogicalResult RunOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getRegionAttr());
  if (!callee)
    return emitOpError("expected a function '") << getRegion() << "'";
  if (regionKind(callee) != "device" && regionKind(callee) != "cpu")
    return emitOpError("expected '") << getRegion() << "' to be a device or CPU region";
  if (callee.getNumArguments() != getNumOperands())
    return emitOpError("expected ") << callee.getNumArguments() << " operands, but got " << getNumOperands();
  if (callee.getNumResults() != getNumResults())
    return emitOpError("expected ") << callee.getNumResults() << " results, but got " << getNumResults();
  return success();
}

bool forge::isScalarResult(OpResult result) {
  auto scalars = result.getOwner()->getAttrOfType<ArrayAttr>(kScalarResultsAttr);
  return scalars && llvm::any_of(scalars.getAsRange<IntegerAttr>(),
                                 [&](IntegerAttr number) { return number.getValue() == result.getResultNumber(); });
}

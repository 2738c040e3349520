//===- Partitions.cpp - device and CPU functions --------------------------===//

#include "forge/Dialect/Forge/IR/Partitions.h"

#include "forge/Dialect/Forge/IR/ForgeOps.h"

using namespace mlir;
using namespace forge;

StringRef forge::partitionKind(func::FuncOp func) {
  auto kind = func->getAttrOfType<StringAttr>(kPartitionAttr);
  return kind ? kind.getValue() : "";
}

bool forge::isHostFunction(func::FuncOp func) {
  StringRef kind = partitionKind(func);
  return kind == "cpu" || kind == "driver";
}

Block *forge::deviceBlock(func::FuncOp func) {
  return isHostFunction(func) || !llvm::hasSingleElement(func.getBody()) ? nullptr : &func.front();
}

LogicalResult RunOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("expected a function '") << getCallee() << "'";
  if (partitionKind(callee) != "device" && partitionKind(callee) != "cpu")
    return emitOpError("expected '") << getCallee() << "' to be a device or CPU partition";
  if (callee.getNumArguments() != getNumOperands())
    return emitOpError("expected ") << callee.getNumArguments() << " operands, but got " << getNumOperands();
  if (callee.getNumResults() != getNumResults())
    return emitOpError("expected ") << callee.getNumResults() << " results, but got " << getNumResults();
  return success();
}

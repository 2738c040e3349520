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
  if (isHostFunction(func) || !llvm::hasSingleElement(func.getBody()))
    return nullptr;
  Block &block = func.front();
  auto isKnown = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  bool areKnown = llvm::all_of(block.getArgumentTypes(), isKnown) && llvm::all_of(block, [&](Operation &op) {
                    return op.getNumRegions() == 0 && llvm::all_of(op.getResultTypes(), isKnown);
                  });
  return areKnown ? &block : nullptr;
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

//===- Dependents.cpp - ops that depend on given ops ----------------------===//

#include "Join/Dependents.h"

using namespace mlir;
using namespace forge;

Dependents::Dependents(ArrayRef<Operation *> roots) : dependents(roots.begin(), roots.end()) {
  next = *llvm::min_element(roots, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
}

bool Dependents::contains(Operation *op) {
  for (; next && (next == op || next->isBeforeInBlock(op)); next = next->getNextNode())
    if (llvm::any_of(next->getOperands(), [&](Value operand) { return dependents.contains(operand.getDefiningOp()); }))
      dependents.insert(next);
  return dependents.contains(op);
}

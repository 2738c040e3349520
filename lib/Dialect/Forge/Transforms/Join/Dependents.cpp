//===- Dependents.cpp - what depends on some ops --------------------------===//

#include "Join/Dependents.h"

using namespace mlir;
using namespace forge;

Dependents::Dependents(ArrayRef<Operation *> roots) : known(roots.begin(), roots.end()) {
  next = *llvm::min_element(roots, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
}

bool Dependents::contains(Operation *op) {
  for (; next && (next == op || next->isBeforeInBlock(op)); next = next->getNextNode())
    if (llvm::any_of(next->getOperands(), [&](Value operand) { return known.contains(operand.getDefiningOp()); }))
      known.insert(next);
  return known.contains(op);
}

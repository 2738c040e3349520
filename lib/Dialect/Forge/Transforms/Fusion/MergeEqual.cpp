//===- MergeEqual.cpp - common subexpressions -----------------------------===//
//
// MLIR's --cse does the same for more kinds of IR. It hashes each op several times, which took a quarter of the time of
// all passes.
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGEMERGEEQUALPASS
#include "PassCommon.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace forge;

namespace {
/// Compares ops by name, operands and attributes, and not by location.
struct EqualOps : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(Operation *op) {
    auto operands = llvm::hash_combine_range(op->operand_begin(), op->operand_end());
    return llvm::hash_combine(op->getName().getAsOpaquePointer(), operands, op->hashProperties());
  }
  static bool isEqual(Operation *a, Operation *b) {
    auto isOp = [](Operation *op) { return op != getEmptyKey() && op != getTombstoneKey(); };
    return a == b || (isOp(a) && isOp(b) && a->getName() == b->getName() && a->getOperands() == b->getOperands() &&
                      OperationEquivalence::isEquivalentTo(a, b, OperationEquivalence::IgnoreLocations));
  }
};

struct ForgeMergeEqualPass : forge::impl::ForgeMergeEqualPassBase<ForgeMergeEqualPass>, ReportingPass {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    llvm::DenseSet<Operation *, EqualOps> known;
    known.reserve(func.front().getOperations().size());
    for (Operation &op : llvm::make_early_inc_range(func.front().without_terminator())) {
      if (isOpTriviallyDead(&op)) {
        op.erase();
        continue;
      }
      auto [first, isNew] = known.insert(&op);
      if (isNew || !isMemoryEffectFree(&op) || !mayRewrite(&op, "ops-merged"))
        continue;
      // An op that a pass has made may be from no ONNX node, while the equal op is from one.
      if (isa<UnknownLoc>((*first)->getLoc()))
        (*first)->setLoc(op.getLoc());
      else if (op.getNumResults() == 1)
        takeTrace((*first)->getResult(0), op.getResult(0));
      op.replaceAllUsesWith(*first);
      op.erase();
    }
  }
};
} // namespace

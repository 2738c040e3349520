//===- JoinProjections.cpp - merges projections, as of Q, K and V ---------===//
//
// If equal ops follow several projections of one value, such as queries, keys and values, then the projections are
// merged, the ops are applied once to all columns, and the result is sliced:
//
//     f(x Wq), f(x Wk)  ->  %f = f(x [Wq, Wk]), slice(%f, 0, 4), slice(%f, 4, 8)
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGEJOINPROJECTIONSPASS
#include "Fusion/Scaling.h"
#include "Join/JoinRuns.h"

using namespace mlir;
using namespace forge;

namespace {
struct ForgeJoinProjectionsPass : forge::impl::ForgeJoinProjectionsPassBase<ForgeJoinProjectionsPass>, RunJoiner {
  using ForgeJoinProjectionsPassBase::ForgeJoinProjectionsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    joinProjections(func.front());
    mergedOps.eraseAll();
    sources.clear();
    eraseDeadOps(func.front());
  }

private:
  bool keepsTiles() const override { return keepTiles; }

  // Merges projections (products with weights) that share their left operand, all with or all without a bias, and whose
  // only users are of one kind. Queries and keys may be merged without the values, which have no rotary embedding.
  // Takes time linear in the number of projections, because the length of a run is limited.
  void joinProjections(Block &block) {
    llvm::MapVector<std::tuple<Value, unsigned, UserKind>, SmallVector<Operation *>> groups;
    for (MatmulOp op : block.getOps<MatmulOp>())
      if (std::optional<UserKind> user = onlyUserKind(op); user && isProjection(op) && !staysSeparate(op))
        groups[{op.getOperandA(), op->getNumOperands(), *user}].push_back(op);
    auto areNeighbours = [](Operation *, Operation *) { return true; }; // Weights can be concatenated in any order.
    for (auto &[kind, ops] : groups) {
      // A product without operands was merged with another one.
      llvm::erase_if(ops, [](Operation *op) { return !op->getOperand(0); });
      joinLongestRuns(ops, /*axis=*/-1, "products-joined", areNeighbours);
    }
  }
};
} // namespace

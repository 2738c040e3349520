//===- JoinProjections.cpp - finds Q, K and V projections to be merged ----===//
//
// Queries, keys and values are projections of one operand: --forge-join-slices merges them into one product with
// concatenated weights, if the ops after them are equal.
//
//===----------------------------------------------------------------------===//

#include "Join/JoinProjections.h"

#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/TiledMatrix.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace forge;

std::optional<UserKind> forge::onlyUserKind(Value value) {
  Operation *user = value.hasOneUse() ? *value.user_begin() : nullptr;
  if (!user || user->getNumResults() != 1)
    return std::nullopt;
  RankedTensorType type = tensorType(user->getResult(0));
  int64_t last = isa<ReshapeOp>(user) && type.getRank() > 0 ? type.getShape().back() : 0;
  return UserKind{user->getName().getAsOpaquePointer(), type.getRank(), last};
}

// Linear in the number of products of one operand, because `most` limits the lists that are tried for each product.
void forge::forEachProjectionGroup(Block &block, bool keepTiles, size_t most,
                                   function_ref<bool(ArrayRef<Operation *>)> merge) {
  llvm::MapVector<std::tuple<Value, int, UserKind>, SmallVector<Operation *>> groups;
  for (MatmulOp op : block.getOps<MatmulOp>()) {
    std::optional<UserKind> user = onlyUserKind(op);
    if (user && isProjection(op) && !(keepTiles && op.getType().getShape().back() % kTile == 0))
      groups[{op.getOperandA(), op.getBias() ? 1 : 0, *user}].push_back(op);
  }
  for (auto &[kind, ops] : groups) {
    // A product without operands was merged with another one.
    llvm::erase_if(ops, [](Operation *op) { return !op->getOperand(0); });
    // From each product on, the longest list for which merging pays. That may be two products of three, such as queries
    // and keys, because values have no rotary embedding.
    for (size_t begin = 0; begin + 1 < ops.size(); ++begin)
      for (size_t end = std::min(ops.size(), begin + most); end - begin > 1; --end)
        if (merge(ArrayRef<Operation *>(ops).slice(begin, end - begin))) {
          begin = end - 1;
          break;
        }
  }
}

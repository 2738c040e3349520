//===- BlockMoves.cpp - leading axes exchanged in whole tiles -------------===//
//
// Reshapes and transposes may exchange leading axes. In a Swin transformer, they divide the pixels of an image of 56 x
// 56 into windows of 7 x 7:
//
//     [1, 56 * 56, 96] -> reshape [8, 7, 8, 7, 96] -> transpose [8, 8, 7, 7, 96] -> reshape [64, 49, 96]
//
// In the tensors between the reshapes, the two trailing axes are padded to whole tiles, here 7 rows to 32. The blocks
// [7, 96] on these axes are moved as a whole, so that they may have any shape. With [21, 32] there is the least
// padding:
//
//     [1, 56 * 56, 96] -> reshape [8, 7, 8, 21, 32] -> transpose [8, 8, 7, 21, 32] -> reshape [64, 49, 96]
//
//===----------------------------------------------------------------------===//

#include "Layout/RowRewrites.h"
#include "forge/Dialect/Forge/Analysis/Cost/TrialCopy.h"

using namespace mlir;
using namespace forge;

// The elements of a block are neighbours in the source and in the result: they are the last digit of `map`, which then
// has the stride 1 (IndexMap). Tries blocks of one row and, if there are steps for these, of each matrix with as many
// elements. All of these steps have the index map `map`, so that only their time decides.
std::optional<BlockSteps> BlockSteps::of(const IndexMap &map, RankedTensorType from) {
  ArrayRef<IndexMap::Digit> digits = map.getDigits();
  if (digits.empty() || digits.back().stride != 1)
    return std::nullopt;
  std::optional<BlockSteps> best;
  auto consider = [&](ArrayRef<int64_t> block) {
    std::optional<Steps> steps = stepsOfBlocks(map, from.getShape(), block);
    if (!steps)
      return;
    OpCost cost;
    for (const auto &[before, after] : steps->kernels())
      cost.addMove(from.clone(before), from.clone(after));
    if (!best || cost.time < best->time)
      best = BlockSteps{*steps, cost.time};
  };
  int64_t elements = digits.back().size;
  consider({elements});
  for (int64_t divisor = 2; best && divisor <= elements / divisor; ++divisor)
    if (elements % divisor == 0) {
      consider({divisor, elements / divisor});
      consider({elements / divisor, divisor});
    }
  return best;
}

namespace {
/// A chain of reshapes and transposes, and the faster steps with the same index map that replace it.
struct BlockMove {
  MoveChain chain;
  Steps steps; ///< with the same index map

  /// Builds the steps before the last op of the chain, whose users then read their result.
  void rewrite() const {
    Operation *last = chain.ops.front();
    chain.moveTracesToSource();
    OpBuilder builder(last);
    last->getResult(0).replaceAllUsesWith(steps.build(builder, chain.source(), last->getLoc()));
  }

  /// The time that rewrite() saves on a copy.
  int64_t savedTime() const {
    TrialCopy copy(chain.ops);
    MoveChain copied{llvm::map_to_vector(chain.ops, [&](Operation *op) { return copy.of(op); })};
    BlockMove{copied, steps}.rewrite();
    return copy.costBefore().time - copy.costAfter().time;
  }
};
} // namespace

// The chain of reshapes and transposes that ends with `last` for which BlockSteps save the most time; none if no chain
// is slower than its steps. Each op on the way back from `last` may be the first one of the chain. Weights are left
// alone, because they are moved when the program is compiled.
static std::optional<BlockMove> moveEndingWith(Operation *last) {
  MoveChain longest = MoveChain::endingWith(last), chain;
  if (longest.ops.empty() || last->use_empty() || isWeight(last->getResult(0)))
    return std::nullopt;
  std::optional<BlockMove> best;
  // Steps of a higher rank than the tensors of the chain might be refused by the device's compiler. It accepts the six
  // axes of images that are divided into windows.
  constexpr size_t kAcceptedRank = 6;
  int64_t mostSaved = 0;
  for (Operation *op : longest.ops) {
    chain.ops.push_back(op);
    std::optional<IndexMap> map = IndexMap::of(chain.ops);
    std::optional<BlockSteps> steps = map ? BlockSteps::of(*map, tensorType(chain.source())) : std::nullopt;
    if (!steps || (steps->steps.apart.size() > kAcceptedRank && !chain.hasRankFor(steps->steps)))
      continue;
    BlockMove move{chain, steps->steps};
    if (int64_t saved = move.savedTime(); saved > mostSaved) {
      mostSaved = saved;
      best = move;
    }
  }
  return best;
}

// From the last op to the first, so that a chain is rewritten as a whole before a part of it is. Ops that became dead
// are skipped; the pass erases them at the end.
void forge::moveBlocks(Block &block, ReportingPass &pass) {
  llvm::SmallPtrSet<Operation *, 16> replaced;
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (std::optional<BlockMove> move = replaced.contains(&op) ? std::nullopt : moveEndingWith(&op);
        move && pass.mayRewrite(&op, "blocks-moved")) {
      move->rewrite();
      for (Operation *each : move->chain.ops)
        if (llvm::all_of(each->getUsers(), [&](Operation *user) { return replaced.contains(user); }))
          replaced.insert(each);
    }
}

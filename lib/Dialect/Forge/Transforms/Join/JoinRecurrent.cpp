//===- JoinRecurrent.cpp - merges independent recurrent layers ------------===//
//
// Recurrent layers that are independent of each other, such as those over the rows and over the columns of an image,
// and that were unrolled to the same ops, are merged: their values get a leading axis for the layers. A layer consists
// of slices of one value, each of which is the input at one time step, and of the ops that depend on them.
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGEJOINRECURRENTPASS
#include "Join/EqualBranches.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

using namespace mlir;
using namespace forge;

// The slices of a layer, the inputs at its time steps, in the order of the block.
using Sequence = SmallVector<Operation *, 0>;

// Whether `op` is a slice along a batch axis, which is any axis but the two trailing ones: recurrent layers slice their
// input [T, N, C] along the time T. Slices of weights are computed when the program is compiled, and are no time steps.
static bool isBatchSlice(Operation &op) {
  auto slice = dyn_cast<IndexOp>(op);
  return slice && fromFront(slice.getDim(), slice.getType().getRank()) < slice.getType().getRank() - 2 &&
         !isWeight(slice.getOperandA());
}

// A key that is equal for layers whose slices are equal: the type of the sliced value, and the attributes of the
// slices.
static SmallVector<const void *> kindOf(const Sequence &sequence) {
  SmallVector<const void *> kind{sequence.front()->getOperand(0).getType().getAsOpaquePointer()};
  for (Operation *op : sequence)
    kind.push_back(op->getPropertiesAsAttribute().getAsOpaquePointer());
  return kind;
}

// `layers`, which are of one kind (kindOf) and so have equally many slices, as branches, whose slices are the first
// steps. None if a layer depends on another one.
static std::optional<EqualBranches> branchesOf(ArrayRef<Sequence *> layers) {
  EqualBranches branches(layers.size(), /*layers=*/true);
  SmallVector<SmallVector<Operation *>> slices;
  for (size_t time = 0; time < layers.front()->size(); ++time)
    slices.push_back(llvm::map_to_vector(layers, [&](Sequence *layer) { return (*layer)[time]; }));
  return branches.addLayers(slices) ? std::optional(std::move(branches)) : std::nullopt;
}

namespace {
struct ForgeJoinRecurrentPass : forge::impl::ForgeJoinRecurrentPassBase<ForgeJoinRecurrentPass>, ReportingPass {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    llvm::MapVector<Value, Sequence> sequences;
    for (Operation &op : func.front())
      if (isBatchSlice(op))
        sequences[op.getOperand(0)].push_back(&op);
    // Equal layers, in the order of the block.
    llvm::MapVector<SmallVector<const void *>, SmallVector<Sequence *>> kinds;
    for (auto &[source, sequence] : sequences)
      if (sequence.size() > 1)
        kinds[kindOf(sequence)].push_back(&sequence);
    for (auto &[kind, layers] : kinds)
      joinNeighbours(layers);
    mergedOps.eraseAll();
  }

private:
  // Merges `layers` if the merged ops cost less, and they have enough equal ops to be recurrent: at least two time
  // steps, each with a product and several elementwise ops.
  void join(ArrayRef<Sequence *> layers) {
    constexpr size_t kFewest = 12, kMost = 1 << 16;             // The upper limit bounds the time.
    std::optional<EqualBranches> branches = branchesOf(layers); // Not none, as joinNeighbours() has checked.
    branches->followUsers(kMost, [](Operation *) { return true; });
    branches->trimLayers();
    bool areRecurrent =
        branches->length() >= kFewest && llvm::count_if(branches->firstOps(), llvm::IsaPred<MatmulOp>) >= 2;
    if (!areRecurrent || !branches->isCheaperMerged() ||
        !mayRewrite(layers.front()->front(), "layers-joined",
                    Twine(layers.size()) + " layers have the same " + Twine(branches->length()) + " ops"))
      return;
    IRRewriter rewriter(&getContext());
    mergedOps.add(branches->build(rewriter).dead);
  }

  // Merges `layers`, which are of one kind (kindOf): each run of consecutive layers that do not depend on one another.
  void joinNeighbours(SmallVector<Sequence *> layers) {
    constexpr size_t kMost = 16; // It bounds the time: branchesOf() follows all layers of a run for each new one.
    while (layers.size() > 1) {
      // A layer with slices without operands was merged as a part of others (DetachedOps).
      llvm::erase_if(layers, [](Sequence *layer) {
        return llvm::any_of(*layer, [](Operation *op) { return !op->getOperand(0); });
      });
      size_t count = layers.empty() ? 0 : 1; // the length of the run that begins with the first layer
      while (count < std::min(layers.size(), kMost) && branchesOf(ArrayRef(layers).take_front(count + 1)))
        ++count;
      if (count > 1)
        join(ArrayRef(layers).take_front(count));
      layers.erase(layers.begin(), layers.begin() + count);
    }
  }

  DetachedOps mergedOps;
};
} // namespace

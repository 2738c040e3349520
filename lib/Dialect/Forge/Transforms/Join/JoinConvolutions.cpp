//===- JoinConvolutions.cpp - merges convolutions of one input ------------===//
//
// Convolutions of one value whose results are concatenated along the channels become one convolution with the
// concatenated filters:
//
//     concatenate(relu(conv2d(%x, %W)), relu(conv2d(%x, %V)))  ->  relu(conv2d(%x, concatenate(%W, padded %V)))
//
// Smaller filters are padded with zeros, if the saved calls and copies cost more than the zeros, as in MetaFlow (Jia et
// al., "Optimizing DNN Computation with Relaxed Graph Substitutions", 2019).
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGEJOINCONVOLUTIONSPASS
#include "Arithmetic/FastMath.h"
#include "Fusion/Convolutions/Taps.h"
#include "Fusion/Scaling.h"
#include "Join/EqualBranches.h"
#include "PassCommon.h"

using namespace mlir;
using namespace forge;

namespace {
/// A convolution and the unary functions between it and the concatenation, from the last to the first. Each result has
/// one use.
struct Branch {
  Conv2dOp convolution;
  SmallVector<Operation *> functions;

  /// Matches `value` as the result of the last function or, if there is none, of the convolution.
  static std::optional<Branch> of(Value value) {
    auto [result, functions] = withoutUnaryOps(value);
    auto convolution = result.hasOneUse() ? result.getDefiningOp<Conv2dOp>() : Conv2dOp();
    return convolution ? std::optional(Branch{convolution, functions}) : std::nullopt;
  }
  int64_t filters() const { return shapeOf(Conv2dOp(convolution).getWeights())[0]; }
  /// Whether the two convolutions, of one value, can be one with more filters: they differ only in their windows and
  /// filters, and the same functions follow them. Not with groups: their filters read different channels. Taps.h
  /// expects channels first.
  bool isLike(const Branch &other) const {
    Conv2dOp a = convolution, b = other.convolution;
    auto isSupported = [](Conv2dOp op) { return op.getGroups() == 1 && !op.getChannelLast(); };
    auto haveOneElementType = [](Value one, Value two) {
      return getElementTypeOrSelf(one) == getElementTypeOrSelf(two);
    };
    auto areSameFunction = [&](Operation *one, Operation *two) {
      return one->getName() == two->getName() && one->getAttrDictionary() == two->getAttrDictionary() &&
             haveOneElementType(one->getResult(0), two->getResult(0));
    };
    return isSupported(a) && isSupported(b) && a.getActivations() == b.getActivations() &&
           a.getStride() == b.getStride() && !a.getBias() == !b.getBias() && haveOneElementType(a, b) &&
           llvm::equal(functions, other.functions, areSameFunction);
  }
};

/// Consecutive operands of the concatenation that are merged into one convolution with `window`, which contains the
/// windows of all of them.
struct Run {
  SmallVector<Branch> branches;
  FilterWindow window;
  int64_t filters; ///< the number of filters of all convolutions

  explicit Run(const Branch &first) : branches{first}, window(windowOf(first.convolution)), filters(first.filters()) {}

  Conv2dOp first() const { return branches.front().convolution; }
  /// The run with `next` as its last branch; none if they cannot be merged.
  std::optional<Run> with(const Branch &next) const {
    std::optional<FilterWindow> joined = unionWindow(window, windowOf(next.convolution));
    if (!joined || !branches.front().isLike(next))
      return std::nullopt;
    Run run = *this;
    run.branches.push_back(next);
    run.window = *joined;
    run.filters += next.filters();
    return run;
  }
  /// The multiply-adds of the merged convolution.
  int64_t multiplyAdds() const {
    RankedTensorType weights = tensorType(first().getWeights());
    return convolutionMultiplyAdds(withDim(first(), 1, filters),
                                   weights.clone({filters, weights.getDimSize(1), window[0].size(), window[1].size()}));
  }
  /// Whether the filters of a branch are padded with zeros.
  bool hasZeros() const {
    return llvm::any_of(branches, [&](const Branch &branch) { return !(windowOf(branch.convolution) == window); });
  }
  /// Whether the branches have weights that can be merged (isProjection), and the padded filters and the merged ones
  /// are small enough to be computed from the weights (ComputedWeights.h).
  bool mayBeStored(const ComputedWeights &weights) const {
    const int ops = hasZeros() ? 3 : 1; // a concatenation, after the padding of both axes
    int64_t taps = window[0].size() * window[1].size(), sources = 0;
    for (const Branch &branch : branches) {
      Conv2dOp convolution = branch.convolution;
      std::optional<int64_t> elements = weights.sourceElements(convolution.getWeights(), ops);
      if (!elements || !isProjection(convolution))
        return false;
      ArrayRef<int64_t> shape = shapeOf(convolution.getWeights());
      if (!mayBePassedThrough(shape[0] * shape[1] * taps, *elements))
        return false;
      sources += *elements;
    }
    return forge::mayBeStored(filters * shapeOf(first().getWeights())[1] * taps, sources);
  }
};
} // namespace

// Whether the merged convolution costs less than the separate ones, which have `separateMultiplyAdds` together, and
// the concatenation `op`, if that has no other operands and is removed. Bytes are not compared: the merged convolution
// moves fewer, because it reads the image once.
static bool isCheaperJoined(const Run &joined, int64_t separateMultiplyAdds, ConcatenateOp op) {
  OpCost before, after;
  if (joined.branches.size() == op.getNumOperands())
    before = costOf(op, DeviceLayout());
  before.calls += joined.branches.size();
  before.addKernels(joined.branches.size(), /*bytes=*/0, separateMultiplyAdds);
  after.calls = 1;
  after.addKernels(1, /*bytes=*/0, joined.multiplyAdds());
  return pays(before, after);
}

// Whether `op` concatenates along axis 1, with at least two convolutions among its operands. Axis 1 is that of their
// channels, because Branch::isLike() refuses convolutions with channels last.
static bool concatenatesConvolutions(ConcatenateOp op) {
  return op.getType().getRank() == 4 && fromFront(op.getAxis(), 4) == 1 &&
         llvm::count_if(op.getOperands(), [](Value operand) { return Branch::of(operand).has_value(); }) > 1;
}

// The name of the rewrite, by which it is permitted (PassTable.inc). A padded filter multiplies pixels outside its own
// window by zero, which gives NaN if one of them is infinite: this needs --fast-math=zero-products.
static StringRef rewriteName(const Run &run) {
  return run.hasZeros() ? "unlike-windows-joined" : "convolutions-joined";
}

namespace {
struct ForgeJoinConvolutionsPass : forge::impl::ForgeJoinConvolutionsPassBase<ForgeJoinConvolutionsPass>,
                                   ReportingPass {
  using ForgeJoinConvolutionsPassBase::ForgeJoinConvolutionsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (failed(checkFastMath(func.getLoc(), fastMath)))
      return signalPassFailure();
    if (!deviceBlock(func))
      return;
    permissions = NumericPermissions(/*exact=*/false, fastMath);
    std::optional<ComputedWeights> weights; // computed only if there is such a concatenation
    for (ConcatenateOp op : llvm::make_early_inc_range(func.front().getOps<ConcatenateOp>())) {
      if (!concatenatesConvolutions(op))
        continue;
      if (!weights)
        weights.emplace(func.front());
      join(op, *weights);
    }
    replacedOps.eraseAll();
    if (weights)
      eraseDeadOps(func.front());
  }

private:
  // Merges runs of consecutive operands of the concatenation. A run grows by each next operand that is a convolution,
  // if merging that one, too, costs less.
  void join(ConcatenateOp op, const ComputedWeights &weights) {
    SmallVector<Run> runs;
    bool isOpen = false; // whether the operand before is the last one of the last run
    for (Value operand : op.getOperands()) {
      std::optional<Branch> branch = Branch::of(operand);
      std::optional<Run> longer = isOpen && branch ? runs.back().with(*branch) : std::nullopt;
      // The run so far counts as one convolution, which it will be.
      int64_t separateMultiplyAdds =
          longer ? addCounts(runs.back().multiplyAdds(), multiplyAdds(branch->convolution)) : 0;
      if (longer && longer->mayBeStored(weights) && isCheaperJoined(*longer, separateMultiplyAdds, op) &&
          permits(rewriteName(*longer)))
        runs.back() = *longer;
      else if (branch)
        runs.emplace_back(*branch);
      isOpen = branch.has_value();
    }
    for (const Run &run : runs)
      if (run.branches.size() > 1 &&
          mayRewrite(run.first(), rewriteName(run), Twine(run.branches.size()) + " of one value"))
        build(run);
  }

  // Pads the filters of all convolutions of `run` to one window, so that the convolutions differ only in filters and
  // biases, and merges them and the functions after them (EqualBranches). The concatenation then reads the merged
  // result.
  void build(const Run &run) {
    Conv2dOp first = run.first();
    IRRewriter rewriter(&getContext());
    auto replace = [&](Operation *op, Value value) {
      op->getResult(0).replaceAllUsesWith(value);
      replacedOps.add(op);
    };
    SmallVector<Operation *> convolutions;
    for (const Branch &branch : run.branches) {
      Conv2dOp op = branch.convolution;
      rewriter.setInsertionPoint(op);
      Location loc = withoutTrace(op.getLoc());
      Value filters = enlarged(rewriter, loc, op.getWeights(), windowOf(op), run.window);
      convolutions.push_back(convolutionLike(rewriter, op.getLoc(), first, filters, op.getBias(), run.window));
    }
    for (auto [branch, convolution] : llvm::zip_equal(run.branches, convolutions))
      replace(branch.convolution, convolution->getResult(0));
    constexpr int64_t kChannels = -3;
    EqualBranches branches(run.branches.size());
    bool areEqual = branches.addStep(convolutions, kChannels);
    // The last function is the first of the list.
    for (size_t number = run.branches.front().functions.size(); number-- > 0;)
      areEqual &= branches.addStep(
          llvm::map_to_vector(run.branches, [&](const Branch &branch) { return branch.functions[number]; }), kChannels);
    assert(areEqual && "checked by Branch::isLike() and Run::mayBeStored()");
    replacedOps.add(branches.build(rewriter).dead);
  }

  DetachedOps replacedOps; ///< erased at the end of the pass, because analyses identify ops by their address
};
} // namespace

//===- SliceCanonicalize.cpp - fewer slices, without a look at tiles ------===//
//
// A trace (Location.h) records which ONNX value a result holds. Rewrites keep traces, and do not depend on them.
//
//===----------------------------------------------------------------------===//

#include "Join/EqualBranches.h"

#define GEN_PASS_DEF_FORGESLICECANONICALIZEPASS
#include "forge/Dialect/Forge/Transforms/Passes.h"

using namespace mlir;
using namespace forge;

namespace {
/// Splits a slice into slices of one axis each, which count the axis from the front and have clamped bounds, as other
/// passes expect (AxisSlice). Axes of which all elements are taken get no slice. Empty slices and negative steps are
/// left to --forge-lower-strided-slice.
struct OneAxisPerSlice : OpRewritePattern<StridedSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StridedSliceOp op, PatternRewriter &rewriter) const override {
    if (op.getType().getNumElements() == 0 || llvm::any_of(op.getStrides(), [](int64_t step) { return step < 1; }))
      return failure();
    // Fails if `op` is such a slice already: its attributes are those that AxisSlice::of() has normalised.
    if (std::optional<AxisSlice> slice = AxisSlice::of(op); slice && !slice->coversAxis()) {
      AxisRange own{op.getAxes()[0], {op.getBegin()[0], op.getEnd()[0], op.getStrides()[0]}};
      if (AxisRange{slice->axis, slice->range} == own)
        return failure();
    }
    // getRanges() has normalised ranges, too, and build() returns `value` for a whole axis.
    Value value = op.getOperandA();
    for (auto [axis, range] : op.getRanges())
      value = AxisSlice{value, axis, toSpec(range)}.build(rewriter, withoutTrace(op.getLoc()));
    takeTrace(value, op);
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// Composes a slice of a slice of the same axis, x[2:10][1:3] -> x[3:5], if all users of the inner one, x[2:10], are
/// slices of this axis: once all of them are composed, it is dead.
struct ComposeSlices : OpRewritePattern<StridedSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StridedSliceOp op, PatternRewriter &rewriter) const override {
    std::optional<AxisSlice> outer = AxisSlice::of(op);
    std::optional<AxisSlice> inner = outer ? AxisSlice::of(outer->source) : std::nullopt;
    if (!inner || inner->axis != outer->axis || !areAllSlicesOf(outer->source, outer->axis))
      return failure();
    int64_t begin = inner->range.begin + inner->range.step * outer->range.begin;
    // The step for a single element does not matter, but the product of the steps could exceed the axis.
    int64_t step = outer->range.length() == 1 ? 1 : inner->range.step * outer->range.step;
    int64_t end = begin + (outer->range.length() - 1) * step + 1;
    rewriter.replaceOp(op, AxisSlice{inner->source, inner->axis, {begin, end, step}}.build(rewriter, op.getLoc()));
    return success();
  }
};

/// Removes a concatenation of neighbouring slices, also with equal elementwise ops, transposes and reshapes in between
/// that have no other users: concatenate(f(x[0:4]), f(x[4:8])) -> f(x[0:8]).
struct MergeJoinedSlices : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConcatenateOp op, PatternRewriter &rewriter) const override {
    int64_t rank = op.getType().getRank(), axis = fromFront(op.getAxis(), rank) - rank;
    SmallVector<Value> operands(op.getOperands());
    if (operands.size() == 1) {
      takeTrace(operands[0], op);
      rewriter.replaceOp(op, operands[0]);
      return success();
    }
    // The slices that compute `values` and the ops in between, if all of them can be merged.
    auto branchesOf = [&](ArrayRef<Value> values) -> std::optional<EqualBranches> {
      EqualBranches branches(values.size());
      return branches.addProducers(values, axis) ? std::optional(std::move(branches)) : std::nullopt;
    };
    // Merges the first sequence of operands in which each two neighbours can be merged, if all of them can be merged
    // together. The driver applies the pattern again for the others.
    for (ArrayRef<Value> rest = operands; rest.size() > 1;) {
      size_t count = 1; // The length of the sequence at the start of `rest`.
      while (count < rest.size() && branchesOf(rest.slice(count - 1, 2)))
        ++count;
      std::optional<EqualBranches> branches = count > 1 ? branchesOf(rest.take_front(count)) : std::nullopt;
      rest = rest.drop_front(count);
      if (!branches)
        continue;
      for (Operation *dead : branches->build(rewriter).dead)
        rewriter.eraseOp(dead);
      return success();
    }
    return failure();
  }
};

struct ForgeSliceCanonicalizePass : forge::impl::ForgeSliceCanonicalizePassBase<ForgeSliceCanonicalizePass>,
                                    ReportingPass {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.addWithLabel<OneAxisPerSlice>({"slices-normalised"}, &getContext());
    patterns.addWithLabel<ComposeSlices>({"slices-composed"}, &getContext());
    patterns.addWithLabel<MergeJoinedSlices>({"concatenations-merged"}, &getContext());
    if (deviceBlock(getOperation()) && failed(rewriteGreedily(*this, getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

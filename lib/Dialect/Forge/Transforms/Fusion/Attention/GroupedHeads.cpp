//===- GroupedHeads.cpp - products with repeated heads of keys and values ===//
//
// A grouped attention has fewer heads of keys and values than of queries, and exporters repeat them. A product of
// queries with repeated keys has, for each head of keys, the rows of all queries that see it:
//
//   x [..., h * g, s, d] times repeat_interleave(y [..., h, d, n], g) is reshape(reshape(x, [..., h, g * s, d]) times
//   y)
//
// Each element is the same sum of the same products, for any x and y. Nothing is asked of the readers: those of the
// product read it in its own shape, and other readers of the repeated value keep it.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/Cost.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

// A transpose of the two axes of matrices; null for another op.
static TransposeOp transposeOfMatrices(Operation *op) {
  auto transpose = dyn_cast_or_null<TransposeOp>(op);
  int64_t rank = transpose ? transpose.getType().getRank() : 0;
  if (!transpose || rank < 2)
    return {};
  AxisSwap swap = swapOf(transpose);
  return std::min(swap.first, swap.second) == rank - 2 ? transpose : TransposeOp();
}

// Whether `op` gives each matrix of what it reads `count` times, one after the other, and nothing else.
static bool repeatsMatrices(Operation *op, int64_t count) {
  if (!isa_and_nonnull<RepeatInterleaveOp, RepeatOp, BroadcastOp>(op) || count < 2)
    return false;
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0));
  std::optional<IndexMap> map = IndexMap::elementsOf(from) ? IndexMap::of({op}) : std::nullopt;
  if (!map || from.size() < 3 || from.size() != shapeOf(op->getResult(0)).size())
    return false;
  IndexMap repeated(from);
  return repeated.repeat(from.size() - 3, count, /*wholes=*/false) && repeated == *map;
}

namespace {
struct RepeatsAsRows : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    Value x = op.getOperandA(), y = op.getOperandB();
    TransposeOp transpose = transposeOfMatrices(y.getDefiningOp());
    Operation *repeat = (transpose ? transpose.getOperandA() : y).getDefiningOp();
    int64_t rank = tensorType(x).getRank();
    if (op.getBias() || rank < 3 || !repeat || repeat->getNumOperands() == 0 || tensorType(y).getRank() < 3)
      return failure();
    Value source = repeat->getOperand(0);
    if (tensorType(source).getRank() < 3 || isWeight(repeat->getResult(0)))
      return failure();
    int64_t items = shapeOf(source).take_back(3).front(), all = shapeOf(y).take_back(3).front();
    if (items < 1 || all % items != 0 || !repeatsMatrices(repeat, all / items) || shapeOf(x)[rank - 3] != all)
      return failure();
    auto grouped = [&](ArrayRef<int64_t> shape) {
      Shape made(shape);
      int64_t at = made.size() - 3;
      made[at] = items;
      made[at + 1] *= all / items;
      return made;
    };
    Shape rows = grouped(shapeOf(x)), result = grouped(shapeOf(op));
    if (!saves(repeat, tensorType(x), rows, op.getType().clone(result), shapeOf(op)))
      return failure();
    Location loc = withoutTrace(op.getLoc());
    Value left = ReshapeOp::create(rewriter, loc, tensorType(x).clone(rows), x, rows);
    if (transpose)
      source = TransposeOp::create(rewriter, withoutTrace(transpose.getLoc()), source, int64_t(-2), int64_t(-1));
    Value product = MatmulOp::create(rewriter, loc, op.getType().clone(result), left, source, Value());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), product, Shape(shapeOf(op)));
    return success();
  }

private:
  // Reshapes of single rows are small, and end where the next product of the same attention begins. Others may be
  // more than what they save.
  static bool saves(Operation *repeat, RankedTensorType x, ArrayRef<int64_t> rows, RankedTensorType product,
                    ArrayRef<int64_t> result) {
    if (x.getDimSize(x.getRank() - 2) == 1)
      return true;
    DeviceLayout layout;
    OpCost reshapes;
    for (auto [from, to] : {std::pair(x, x.clone(rows)), std::pair(product, product.clone(result))})
      if (!keepsTiles(from, to))
        reshapes.addMove(from, to, layout);
    return pays(costOf(repeat, layout), reshapes);
  }
};
} // namespace

void forge::populateRepeatsAsRows(RewritePatternSet &patterns) {
  patterns.addWithLabel<RepeatsAsRows>({"repeats-as-rows"}, patterns.getContext());
}

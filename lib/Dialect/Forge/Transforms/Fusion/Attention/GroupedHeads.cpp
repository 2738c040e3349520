//===- GroupedHeads.cpp - products with repeated heads of keys and values ===//
//
// In grouped-query attention, each head of keys and values belongs to g heads of queries, and exporters repeat it g
// times. For a single query, as in the step of a token, a product with repeated matrices is a product with g rows:
//
//   matmul(x, repeat_interleave(y, g)) = reshape(matmul(reshape(x, [..., h, g, d]), y))
//
// for x [..., h * g, 1, d] and y [..., h, d, n]. Each element is the same sum of the same products. The result has the
// same shape, and other users of the repeated value keep it, so that there are no conditions on users. With more
// queries, the reshapes would move more than the repeat.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Scaling.h"
#include "MatrixTranspose.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

// Whether `op` repeats each matrix (the two trailing axes) of its operand `count` times: y0, y0, y1, y1, ...
static bool repeatsMatrices(Operation *op, int64_t count) {
  if (!isa_and_nonnull<RepeatInterleaveOp, RepeatOp, BroadcastOp>(op) || count < 2)
    return false;
  ArrayRef<int64_t> from = shapeOf(op->getOperand(0));
  std::optional<IndexMap> map = IndexMap::hasMap(from) ? IndexMap::of({op}) : std::nullopt;
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
    // Keys are transposed after the repetition.
    auto transpose = isMatrixTranspose(y.getDefiningOp()) ? y.getDefiningOp<TransposeOp>() : TransposeOp();
    Operation *repeat = (transpose ? transpose.getOperandA() : y).getDefiningOp();
    int64_t rank = tensorType(x).getRank();
    if (op.getBias() || rank < 3 || !repeat || repeat->getNumOperands() == 0 || tensorType(y).getRank() < 3)
      return failure();
    Value source = repeat->getOperand(0);
    if (tensorType(source).getRank() < 3 || isWeight(repeat->getResult(0)))
      return failure();
    int64_t heads = shapeOf(source).take_back(3).front(), repeated = shapeOf(y).take_back(3).front();
    if (heads < 1 || repeated % heads != 0 || !repeatsMatrices(repeat, repeated / heads) ||
        shapeOf(x)[rank - 3] != repeated || shapeOf(x)[rank - 2] != 1)
      return failure();
    // [..., h * g, 1, columns] as [..., h, g, columns]
    auto grouped = [&](ArrayRef<int64_t> shape) {
      Shape result(shape);
      int64_t axis = result.size() - 3;
      result[axis] = heads;
      result[axis + 1] = repeated / heads;
      return result;
    };
    Shape rows = grouped(shapeOf(x)), result = grouped(shapeOf(op));
    Location loc = withoutTrace(op.getLoc());
    Value left = ReshapeOp::create(rewriter, loc, tensorType(x).clone(rows), x, rows);
    if (transpose)
      source = TransposeOp::create(rewriter, withoutTrace(transpose.getLoc()), source, int64_t(-2), int64_t(-1));
    Value product = MatmulOp::create(rewriter, loc, op.getType().clone(result), left, source, Value());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), product, Shape(shapeOf(op)));
    return success();
  }
};
} // namespace

void forge::populateRepeatsAsRows(RewritePatternSet &patterns) {
  patterns.addWithLabel<RepeatsAsRows>({"repeats-as-rows"}, patterns.getContext());
}

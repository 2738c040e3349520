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

#include "Fusion/Rewrites.h"
#include "MatrixTranspose.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

// Whether `op`, which may be null, repeats each matrix (the two trailing axes) of its operand `count` times, along the
// axis before them: y0, y0, y1, y1, ...
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

LogicalResult forge::rewriteRepeatsAsRows(MatmulOp op, PatternRewriter &rewriter) {
  Value x = op.getOperandA(), y = op.getOperandB();
  // Keys are transposed after the repetition.
  auto transpose = isMatrixTranspose(y.getDefiningOp()) ? y.getDefiningOp<TransposeOp>() : TransposeOp();
  Operation *repeat = (transpose ? transpose.getOperandA() : y).getDefiningOp();
  if (op.getBias() || op.getType().getNumElements() == 0 || !repeat || repeat->getNumOperands() == 0)
    return failure();
  // Heads are an axis of all operands, before rows and columns.
  Value source = repeat->getOperand(0);
  int64_t rank = tensorType(x).getRank();
  if (std::min({rank, tensorType(y).getRank(), tensorType(source).getRank()}) < 3 || isWeight(repeat->getResult(0)))
    return failure();
  int64_t heads = shapeOf(source).take_back(3).front(), repeated = shapeOf(y).take_back(3).front();
  bool areSingleRows = shapeOf(x).slice(rank - 3, 2) == ArrayRef<int64_t>{repeated, 1};
  if (heads < 1 || repeated % heads != 0 || !repeatsMatrices(repeat, repeated / heads) || !areSingleRows)
    return failure();
  // The shape [..., h * g, 1, columns] as [..., h, g, columns].
  auto grouped = [&](ArrayRef<int64_t> shape) {
    Shape result(shape.drop_back(3));
    result.append({heads, repeated / heads, shape.back()});
    return result;
  };
  Location loc = withoutTrace(op.getLoc());
  Value rows = reshaped(rewriter, loc, x, grouped(shapeOf(x)));
  if (transpose)
    source = TransposeOp::create(rewriter, withoutTrace(transpose.getLoc()), source, int64_t(-2), int64_t(-1));
  Value product = MatmulOp::create(rewriter, loc, op.getType().clone(grouped(shapeOf(op))), rows, source, Value());
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), product, shapeOf(op));
  return success();
}

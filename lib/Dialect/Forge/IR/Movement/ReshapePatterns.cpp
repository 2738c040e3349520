//===- ReshapePatterns.cpp - reshapes across ops, and products ------------===//

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Movement/MovementChains.h"
#include "forge/Dialect/Forge/IR/Movement/MovementSteps.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace forge;

LogicalResult forge::replaceWith(PatternRewriter &rewriter, Operation *op, Value value) {
  takeTrace(value, op->getResult(0));
  rewriter.replaceOp(op, value);
  return success();
}

// `op` if it is a softmax along the trailing axis, else null.
static SoftmaxOp softmaxOfRows(Operation *op) {
  auto softmax = dyn_cast_or_null<SoftmaxOp>(op);
  int64_t rank = softmax ? softmax.getType().getRank() : 0;
  return softmax && fromFront(softmax.getDim(), rank) == rank - 1 ? softmax : SoftmaxOp();
}

// The operand of an elementwise op that has the shape of the result, if all others are smaller; null for other ops.
static OpOperand *soleOperand(Operation *op) {
  if (!op || !op->hasTrait<forge::traits::Elementwise>())
    return nullptr;
  OpOperand *sole = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    if (shapeOf(operand.get()) != shapeOf(op->getResult(0)))
      continue;
    if (sole)
      return nullptr;
    sole = &operand;
  }
  return sole;
}

namespace {
/// Rewrites reshape(f(reshape(x))) to reshape(f(x)). f is a softmax along a trailing axis that x has too, or
/// elementwise with other operands that broadcast to x as they do to reshape(x), which x must not have too many axes
/// for. The values in between have no other users.
struct ReshapeThroughElementwise : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    SmallVector<OpOperand *> path;
    Value value = op.getOperandA();
    auto next = [&] {
      Operation *function = value.getDefiningOp();
      return softmaxOfRows(function) ? &function->getOpOperand(0) : soleOperand(function);
    };
    for (OpOperand *operand = next(); operand && value.hasOneUse(); operand = next()) {
      path.push_back(operand);
      value = operand->get();
    }
    Operation *inner = value.getDefiningOp();
    if (path.empty() || !isReshape(inner) || !inner->hasOneUse() || tensorType(inner->getOperand(0)).getRank() == 0)
      return failure();
    Value source = inner->getOperand(0);
    auto isOfRows = [](OpOperand *operand) { return softmaxOfRows(operand->getOwner()) != nullptr; };
    if (llvm::any_of(path, isOfRows) && shapeOf(source).back() != shapeOf(value).back())
      return failure();
    for (OpOperand *operand : path)
      for (OpOperand &other : operand->getOwner()->getOpOperands()) {
        Shape otherShape(shapeOf(other.get()));
        if (&other != operand && (shapeOf(source).size() > kMostBroadcastAxes ||
                                  IndexMap::broadcastShape(otherShape, shapeOf(value), shapeOf(source)) != otherShape))
          return failure();
      }
    takeTrace(source, inner->getResult(0));
    rewriter.modifyOpInPlace(path.back()->getOwner(), [&] { path.back()->set(source); });
    for (OpOperand *operand : path) {
      Operation *function = operand->getOwner();
      rewriter.modifyOpInPlace(function, [&] {
        if (SoftmaxOp softmax = softmaxOfRows(function))
          softmax.setDim(-1);
        reshapeResult(function, shapeOf(source));
      });
    }
    return success();
  }
};

/// Rewrites a matrix product whose left operand was reshaped to a matrix: Forge multiplies the tensor itself, or the
/// rows in the shape that they have after the product.
struct ProductOfRows : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    Value product = op.getOperandA(), bias;
    auto add = product.getDefiningOp<AddOp>();
    if (add && add->hasOneUse()) {
      bool isFirst = add.getOperandA().getDefiningOp<MatmulOp>() != nullptr;
      product = isFirst ? add.getOperandA() : add.getOperandB();
      bias = isFirst ? add.getOperandB() : add.getOperandA();
    }
    auto matmul = product.getDefiningOp<MatmulOp>();
    auto rows = matmul ? matmul.getOperandA().getDefiningOp<ReshapeOp>() : ReshapeOp();
    if (!rows || !matmul->hasOneUse() || matmul.getBias() || matmul.getType().getRank() != 2 ||
        tensorType(matmul.getOperandB()).getRank() != 2)
      return failure();
    ArrayRef<int64_t> source = shapeOf(rows.getOperandA()), target = op.getShape();
    if (target.size() < 3 || target.back() != shapeOf(product).back())
      return failure();
    SmallVector<int64_t> tensor(target);
    tensor.back() = shapeOf(rows).back();
    // If the operand was not flattened but reshaped in another way, it is reshaped to the shape of the result instead.
    bool isFlattened = source == ArrayRef(tensor);
    if (!isFlattened && !rows->hasOneUse())
      return failure();
    // The bias must have one element per column, because the shape of the rows changes.
    if (bias && (tensorType(bias).getNumElements() != target.back() || tensorType(bias).getRank() > 2 ||
                 tensorType(bias).getRank() == 0 || shapeOf(bias).back() != target.back()))
      return failure();
    Value x = rows.getOperandA();
    if (!isFlattened)
      x = ReshapeOp::create(rewriter, withoutTrace(rows.getLoc()), rows.getType().clone(tensor), x, tensor);
    takeTrace(x, rows);
    Value result = MatmulOp::create(rewriter, bias ? withoutTrace(matmul.getLoc()) : op.getLoc(),
                                    matmul.getType().clone(target), x, matmul.getOperandB(), Value());
    takeTrace(result, matmul);
    if (bias) {
      result = AddOp::create(rewriter, op.getLoc(), op.getType(), result, bias);
      takeTrace(result, add);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  populateReshapeChains(patterns);
  patterns.addWithLabel<ReshapeThroughElementwise>({"reshapes-cancelled"}, context);
  patterns.addWithLabel<ProductOfRows>({"products-of-rows"}, context);
}

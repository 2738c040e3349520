//===- NormsIntoProducts.cpp - scales and terms of what products read -----===//
//
// (x * s + t) W is x (s W) + t W, where s and t have an element for each row of the weights W. Norms end in such scales
// and terms, and where matrix products alone read them, the device need not compute them.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Norms/Norms.h"
#include "Fusion/Rounding.h"
#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

bool forge::keepsLastAxis(Operation *op) {
  if (isa<ReshapeOp, SqueezeOp, UnsqueezeOp>(op)) {
    RankedTensorType from = tensorType(op->getOperand(0)), to = tensorType(op->getResult(0));
    return from.getRank() > 0 && to.getRank() > 0 && from.getShape().back() == to.getShape().back() &&
           from.getNumElements() > 0;
  }
  if (auto repeat = dyn_cast<RepeatOp>(op))
    return repeat.getRepeats().back() == 1;
  if (auto repeat = dyn_cast<RepeatInterleaveOp>(op))
    return fromFront(repeat.getDim(), repeat.getType().getRank()) != repeat.getType().getRank() - 1;
  if (auto slice = dyn_cast<IndexOp>(op))
    return fromFront(slice.getDim(), slice.getType().getRank()) != slice.getType().getRank() - 1;
  auto transpose = dyn_cast<TransposeOp>(op);
  int64_t last = transpose ? transpose.getType().getRank() - 1 : 0;
  return transpose && fromFront(transpose.getDim0(), last + 1) != last &&
         fromFront(transpose.getDim1(), last + 1) != last;
}

// The other operand of a sum of `value` and a product of weights, which nothing else reads, with or without its term.
static OpOperand *productAddedTo(Value value, Operation *user) {
  auto sum = dyn_cast<AddOp>(user);
  if (!sum || sum.getOperandA() == sum.getOperandB() || sum.getType() != value.getType())
    return nullptr;
  OpOperand &other = sum->getOpOperand(sum.getOperandA() == value ? 1 : 0);
  Value product = other.get();
  if (!product.hasOneUse() || product.getType() != sum.getType())
    return nullptr;
  if (auto biased = product.getDefiningOp<AddOp>())
    for (auto [value, bias] : bothWays(biased))
      if (isWeight(bias) && !mayRound(bias))
        product = value;
  auto matmul = product.getDefiningOp<MatmulOp>();
  return matmul && matmul->hasOneUse() && isProjection(matmul) ? &other : nullptr;
}

namespace {
/// What alone reads a value along its last axis: products of weights, and, of terms, sums with such products. Then the
/// moves on the way to them.
struct Readers {
  SmallVector<MatmulOp> products;
  SmallVector<OpOperand *> sums;
  SmallVector<Operation *> moves;

  /// Whether all readers of `value` are such; sums count for `takesSums`.
  bool collect(Value value, bool takesSums, int depth = 4) {
    return !value.use_empty() && llvm::all_of(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (auto product = dyn_cast<MatmulOp>(user)) {
        products.push_back(product);
        return use.getOperandNumber() == 0 && isProjection(product);
      }
      if (OpOperand *product = takesSums ? productAddedTo(value, user) : nullptr) {
        sums.push_back(product);
        return true;
      }
      moves.push_back(user);
      return depth > 0 && keepsLastAxis(user) && collect(user->getResult(0), takesSums, depth - 1);
    });
  }
};

/// Gives scales and terms to products. What stands between is no ONNX value any more.
class ProductWriter {
public:
  ProductWriter(PatternRewriter &rewriter, const Readers &readers) : b(rewriter), readers(readers) {
    for (Operation *move : readers.moves)
      b.modifyOpInPlace(move, [&] { move->setLoc(withoutTrace(move->getLoc())); });
  }

  /// Each row of the weights times an element of `scale`.
  void scale(Value scale) {
    for (MatmulOp product : readers.products) {
      b.setInsertionPoint(product);
      Location loc = withoutTrace(product.getLoc());
      Value weights = product.getOperandB();
      Value column = reshaped(b, loc, scale, {shapeOf(weights)[0], 1});
      Value scaled = forge::product(b, loc, weights, column);
      b.modifyOpInPlace(product, [&] { product.getOperandBMutable().assign(scaled); });
    }
  }

  /// The product of `term` and the weights behind each product; in sums the term moves to the product.
  void add(Value term) {
    for (MatmulOp product : readers.products) {
      b.setInsertionPoint(product);
      Location loc = withoutTrace(product.getLoc());
      Value weights = product.getOperandB(), row = reshaped(b, loc, term, {1, shapeOf(weights)[0]});
      addTo(product, reshaped(b, loc, MatmulOp::create(b, loc, row, weights, Value()), {shapeOf(weights)[1]}));
    }
    for (OpOperand *sum : readers.sums) {
      Value product = sum->get();
      Operation *last = product.getDefiningOp();
      Location loc = withoutTrace(last->getLoc());
      b.setInsertionPoint(sum->getOwner());
      Value row = reshaped(b, loc, term, {tensorType(term).getNumElements()});
      if (auto matmul = dyn_cast<MatmulOp>(last)) {
        // The product may stand in front of the norm, and of its term. It is no ONNX value any more.
        b.modifyOpInPlace(matmul, [&] {
          matmul->moveBefore(sum->getOwner());
          matmul->setLoc(loc);
        });
        addTo(matmul, row);
        continue;
      }
      Value whole = AddOp::create(b, loc, product.getType(), product, row);
      b.modifyOpInPlace(sum->getOwner(), [&] { sum->set(whole); });
    }
  }

private:
  // A product whose term stands behind it gets this one there, where the two join; any other has it as its third
  // operand.
  void addTo(MatmulOp product, Value term) {
    Location loc = withoutTrace(product.getLoc());
    auto behind = product->hasOneUse() ? dyn_cast<AddOp>(*product->user_begin()) : AddOp();
    if (product.getBias() || !behind || (!isWeight(behind.getOperandA()) && !isWeight(behind.getOperandB()))) {
      b.setInsertionPoint(product);
      if (Value bias = product.getBias())
        term = AddOp::create(b, loc, reshaped(b, loc, bias, shapeOf(term)), term);
      b.modifyOpInPlace(product, [&] { product.getBiasMutable().assign(term); });
      return;
    }
    b.setInsertionPointAfter(product);
    auto whole = AddOp::create(b, product.getLoc(), product.getType(), product, term);
    b.replaceAllUsesExcept(product, whole, whole);
    b.modifyOpInPlace(product, [&] { product->setLoc(loc); });
  }

  PatternRewriter &b;
  const Readers &readers;
};
} // namespace

// The elements per item of the last axis among the operands of `op`, and the other operand. Products have columns of
// their own for both.
template <typename OpTy>
static std::pair<Value, Value> withRow(OpTy op) {
  RankedTensorType type = op.getType();
  int64_t last = type.getRank() - 1;
  if (last >= 0 && isFloat32(op) && type.getDimSize(last) > 1)
    for (auto [x, row] : bothWays(op))
      if (x.getType() == type && isPerChannel(row, last, type.getRank(), type.getDimSize(last)) &&
          !isa_and_nonnull<MatmulOp, Conv2dOp, Conv2dTransposeOp>(x.getDefiningOp()) && isWeight(row) && !isWeight(x))
        return {x, row};
  return {};
}

namespace {
/// x * row, or x + row.
template <typename OpTy>
struct RowOfOperand : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    constexpr bool kAdds = std::is_same_v<OpTy, AddOp>;
    auto [x, row] = withRow(op);
    Readers readers;
    if (!x || !readers.collect(op, /*takesSums=*/kAdds) || readers.products.empty() || (kAdds && mayRound(row)))
      return failure();
    ProductWriter writer(rewriter, readers);
    kAdds ? writer.add(row) : writer.scale(row);
    rewriter.replaceOp(op, x);
    return success();
  }
};

/// A layer norm of scale 1, bias 0 or both: --forge-kernel-forms drops those.
struct NormOfOperand : OpRewritePattern<LayernormOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LayernormOp op, PatternRewriter &rewriter) const override {
    Value scale = op.getWeights(), bias = op.getBias();
    Readers scaled, shifted;
    bool isBiased = !matchPattern(bias, m_AnyZeroFloat());
    bool foldsBias = isBiased && isWeight(bias) && !mayRound(bias) && shifted.collect(op, /*takesSums=*/true);
    // A bias that stays is added to what the scale multiplies: the weights would scale it too.
    bool foldsScale = (foldsBias || !isBiased) && !matchPattern(scale, m_OneFloat()) && isWeight(scale) &&
                      scaled.collect(op, /*takesSums=*/false);
    if (!isFloat32(op) || (!foldsScale && !foldsBias))
      return failure();
    // The bias first: its product is with weights that have no scale.
    if (foldsBias)
      ProductWriter(rewriter, shifted).add(bias);
    if (foldsScale)
      ProductWriter(rewriter, scaled).scale(scale);
    rewriter.setInsertionPoint(op);
    Location loc = withoutTrace(op.getLoc());
    auto constant = [&](Value like, double number) {
      return ConstantOp::create(rewriter, loc, tensorType(like), splatAttr(tensorType(like), number));
    };
    rewriter.modifyOpInPlace(op, [&] {
      op->setLoc(loc);
      if (foldsScale)
        op.getWeightsMutable().assign(constant(scale, 1));
      if (foldsBias)
        op.getBiasMutable().assign(constant(bias, 0));
    });
    return success();
  }
};
} // namespace

void forge::populateNormsIntoProducts(RewritePatternSet &patterns) {
  patterns.addWithLabel<RowOfOperand<MultiplyOp>>({"scales-of-operands-folded"}, patterns.getContext());
  patterns.addWithLabel<RowOfOperand<AddOp>>({"terms-of-operands-folded"}, patterns.getContext());
  patterns.addWithLabel<NormOfOperand>({"norms-folded"}, patterns.getContext());
}

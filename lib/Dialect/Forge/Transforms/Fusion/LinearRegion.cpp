//===- LinearRegion.cpp - factors through rotary embeddings ---------------===//
//
// What a rotary embedding does to queries is linear: slices of them, their concatenation, products with tables of
// weights, a sum. A factor behind it is one of the projection in front of it, and a sign of a slice one of the table.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Monomial.h"
#include "Fusion/Rounding.h"
#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace forge;

namespace {
/// The ops between a value and the products with weights that it is linear in.
class LinearRegion {
public:
  /// Products of two activations are linear in either: the region follows operand `side` of them.
  explicit LinearRegion(unsigned side) : side(side) {}

  /// Adds what `value` is made of. Whether it is linear in products with weights, and each use of a value of the region
  /// is `reader` or was followed: through any other operand an op of the region would get the factor a second time.
  bool collect(Value value, Operation *reader) {
    return follow(value) && llvm::all_of(ops, [&](Operation *op) {
             return llvm::all_of(op->getUses(),
                                 [&](OpOperand &use) { return use.getOwner() == reader || followed.contains(&use); });
           });
  }

  /// Multiplies the weights. No value of the region is an ONNX value afterwards.
  void scale(PatternRewriter &rewriter, ScalarConstantOp factor) const {
    for (Operation *op : ops) {
      Location loc = withoutTrace(op->getLoc());
      rewriter.setInsertionPoint(op);
      for (OpOperand *weight : weightsOf(op)) {
        // The factor may stand behind the region.
        Value scaled = product(rewriter, loc, weight->get(), rewriter.clone(*factor)->getResult(0));
        rewriter.modifyOpInPlace(op, [&] { weight->set(scaled); });
      }
      rewriter.modifyOpInPlace(op, [&] { op->setLoc(loc); });
    }
  }

private:
  static constexpr unsigned kMost = 32;

  static bool isProjection(Operation *op) {
    auto matmul = dyn_cast<MatmulOp>(op);
    return matmul && forge::isProjection(matmul);
  }

  // The weights of an op of the region that have the factor.
  static SmallVector<OpOperand *> weightsOf(Operation *op) {
    SmallVector<OpOperand *> weights;
    bool isSum = isa<AddOp, SubtractOp>(op);
    for (OpOperand &operand : op->getOpOperands())
      if ((isSum || (isProjection(op) && operand.getOperandNumber() > 0)) && isWeight(operand.get()))
        weights.push_back(&operand);
    return weights;
  }

  bool follow(OpOperand &operand) {
    followed.insert(&operand);
    return follow(operand.get());
  }

  bool follow(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !isFloat32(value) || isWeight(value))
      return false;
    if (ops.contains(op))
      return true;
    if (ops.size() >= kMost)
      return false;
    ops.insert(op);
    if (isProjection(op))
      return true;
    if (isa<ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, RepeatOp, RepeatInterleaveOp>(op))
      return follow(op->getOpOperand(0));
    if (isa<ConcatenateOp>(op))
      return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) { return follow(operand); });
    if (isa<AddOp, SubtractOp>(op))
      return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
        Value term = operand.get();
        if (!isWeight(term))
          return follow(operand);
        return mayBeStoredOtherwise(term) && tensorType(term).getRank() > 0 && !mayRound(term);
      });
    if (isa<MultiplyOp>(op) && (isWeight(op->getOperand(0)) || isWeight(op->getOperand(1))))
      return follow(op->getOpOperand(isWeight(op->getOperand(0)) ? 1 : 0));
    auto matmul = dyn_cast<MatmulOp>(op);
    return matmul && !matmul.getBias() && follow(op->getOpOperand(side));
  }

  unsigned side;
  llvm::SetVector<Operation *> ops;
  llvm::SmallPtrSet<OpOperand *, 16> followed; ///< through which a factor of an operand is one of the result
};

/// A number behind a region as one in front of it.
template <typename OpTy>
struct ScaleBeforeRegion : OpRewritePattern<OpTy> {
  explicit ScaleBeforeRegion(MLIRContext *context) : OpRewritePattern<OpTy>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    constexpr bool kDivides = std::is_same_v<OpTy, DivideOp>;
    Value value = op.getOperandA();
    auto factor = op.getOperandB().template getDefiningOp<ScalarConstantOp>();
    if (!factor && !kDivides) {
      value = op.getOperandB();
      factor = op.getOperandA().template getDefiningOp<ScalarConstantOp>();
    }
    Operation *last = value.getDefiningOp();
    if (!factor || !last || !isFloat32(op) || !isModest(factor.getConstant()) || value.getType() != op.getType() ||
        isQuantised(op))
      return failure();
    for (unsigned side : {0, 1}) {
      LinearRegion region(side);
      if (!region.collect(value, op))
        continue;
      if (kDivides) {
        rewriter.setInsertionPointAfter(factor);
        APFloat inverse(1 / factor.getConstant().convertToFloat());
        factor =
            ScalarConstantOp::create(rewriter, withoutTrace(op.getLoc()), factor.getType(), inverse, factor.getDtype());
      }
      region.scale(rewriter, factor);
      rewriter.modifyOpInPlace(last, [&] { last->setLoc(op.getLoc()); });
      rewriter.replaceOp(op, value);
      return success();
    }
    return failure();
  }
};
} // namespace

// The tables of an embedding x * a + y * b, which is moved only, and which nothing reads besides; none where `value` is
// something else.
static SmallVector<OpOperand *> tablesOf(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && op->hasOneUse() &&
         isa<ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, RepeatOp, RepeatInterleaveOp>(op))
    op = op->getOperand(0).getDefiningOp();
  if (!op || !op->hasOneUse() || !isa<AddOp>(op) || !isFloat32(op->getResult(0)))
    return {};
  SmallVector<OpOperand *> tables;
  for (Value term : op->getOperands()) {
    auto multiply = term.hasOneUse() ? term.getDefiningOp<MultiplyOp>() : MultiplyOp();
    if (!multiply)
      return {};
    OpOperand *left = &multiply->getOpOperand(0), *right = &multiply->getOpOperand(1);
    if (isWeight(left->get()))
      std::swap(left, right);
    // Each term needs a table: a sum of one with two and one with none is not scaled by them.
    if (isWeight(left->get()) || !isWeight(right->get()) || isOne(right->get()))
      return {};
    tables.push_back(right);
  }
  return tables;
}

namespace {
/// A number behind the product of two embeddings, of queries and keys that have norms: its root goes into the tables of
/// both, which stay the same for both.
template <typename OpTy>
struct ScaleIntoTables : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    auto product = op.getOperandA().template getDefiningOp<MatmulOp>();
    auto factor = op.getOperandB().template getDefiningOp<ScalarConstantOp>();
    if (!product || !factor || product.getBias() || !product->hasOneUse() || !isFloat32(op) ||
        !isModest(factor.getConstant()) || factor.getConstant().isNegative() || product.getType() != op.getType())
      return failure();
    SmallVector<OpOperand *> tables = tablesOf(product.getOperandA()), others = tablesOf(product.getOperandB());
    if (tables.empty() || others.empty())
      return failure();
    llvm::append_range(tables, others);
    double number = factor.getConstant().convertToDouble();
    APFloat root(static_cast<float>(std::sqrt(std::is_same_v<OpTy, DivideOp> ? 1 / number : number)));
    llvm::SmallDenseMap<Value, Value> scaled; // once: whoever joins queries and keys looks for the same tables
    for (OpOperand *table : tables) {
      Operation *multiply = table->getOwner();
      Value &known = scaled[table->get()];
      if (!known) {
        Location loc = withoutTrace(multiply->getLoc());
        rewriter.setInsertionPoint(multiply);
        Value scale = ScalarConstantOp::create(rewriter, loc, factor.getType(), root, factor.getDtype());
        known = forge::product(rewriter, loc, table->get(), scale);
      }
      makeAvailable(known, multiply);
      rewriter.modifyOpInPlace(multiply, [&] { table->set(known); });
      for (Operation *changed = multiply; changed != product; changed = *changed->getUsers().begin())
        rewriter.modifyOpInPlace(changed, [&] { changed->setLoc(withoutTrace(changed->getLoc())); });
    }
    rewriter.modifyOpInPlace(product, [&] { product->setLoc(op.getLoc()); });
    rewriter.replaceOp(op, product.getResult());
    return success();
  }
};
} // namespace

// x where `value` is x * -1, which nothing else reads.
static Value negated(Value value) {
  auto multiply = value.getDefiningOp<MultiplyOp>();
  if (!multiply || !value.hasOneUse())
    return {};
  for (auto [x, sign] : bothWays(multiply))
    if (numberOf(sign) == -1.0 && x.getType() == value.getType())
      return x;
  return {};
}

namespace {
/// concatenate(-a, b, ...) * table, along the last axis.
struct SignedProduct {
  MultiplyOp op;
  ConcatenateOp parts;
  Value table;
  SmallVector<Value> operands; ///< without the signs
  SmallVector<float> signs;    ///< an element of the last axis each
};
} // namespace

static std::optional<SignedProduct> signedProduct(MultiplyOp op) {
  for (auto [joined, table] : bothWays(op)) {
    SignedProduct product{op, joined.getDefiningOp<ConcatenateOp>(), table, {}, {}};
    int64_t last = op.getType().getRank() - 1;
    if (!product.parts || !joined.hasOneUse() || joined.getType() != op.getType() || !isFloat32(op) ||
        fromFront(product.parts.getAxis(), last + 1) != last || tensorType(table).getRank() == 0 ||
        shapeOf(table).back() != op.getType().getDimSize(last))
      continue;
    for (Value part : product.parts.getOperands()) {
      Value x = negated(part);
      product.operands.push_back(x ? x : part);
      product.signs.append(shapeOf(part).back(), x ? -1.0f : 1.0f);
    }
    if (llvm::is_contained(product.signs, -1.0f))
      return product;
  }
  return std::nullopt;
}

namespace {
/// concatenate(-a, b) * table is concatenate(a, b) * (signs * table), where the signs cost nothing, or one product for
/// several.
struct SignsIntoTable : OpRewritePattern<MultiplyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MultiplyOp op, PatternRewriter &rewriter) const override {
    std::optional<SignedProduct> own = signedProduct(op);
    if (!own)
      return failure();
    SmallVector<SignedProduct> products;
    Operation *first = op;
    for (Operation *user : own->table.getUsers()) {
      auto multiply = dyn_cast<MultiplyOp>(user);
      std::optional<SignedProduct> product = multiply ? signedProduct(multiply) : std::nullopt;
      if (!product || product->table != own->table || product->signs != own->signs ||
          user->getBlock() != op->getBlock() ||
          llvm::any_of(products, [&](const SignedProduct &known) { return known.op == multiply; }))
        continue;
      products.push_back(*product);
      first = user->isBeforeInBlock(first) ? user : first;
    }
    if (!isWeight(own->table) && products.size() < 2)
      return failure();
    rewriter.setInsertionPoint(first);
    Location loc = withoutTrace(first->getLoc());
    auto type = RankedTensorType::get({int64_t(own->signs.size())}, rewriter.getF32Type());
    Value row = ConstantOp::create(rewriter, loc, DenseElementsAttr::get(type, ArrayRef(own->signs)));
    Value table = product(rewriter, loc, own->table, row);
    for (SignedProduct &product : products) {
      rewriter.setInsertionPoint(product.op);
      Value joined = ConcatenateOp::create(rewriter, withoutTrace(product.parts.getLoc()), product.operands,
                                           product.parts.getAxis());
      rewriter.replaceOpWithNewOp<MultiplyOp>(product.op, product.op.getType(), joined, table);
    }
    return success();
  }
};
} // namespace

void forge::populateFactorsThroughEmbeddings(RewritePatternSet &patterns) {
  patterns.addWithLabel<ScaleBeforeRegion<MultiplyOp>, ScaleBeforeRegion<DivideOp>>({"scales-folded"},
                                                                                    patterns.getContext());
  patterns.addWithLabel<ScaleIntoTables<MultiplyOp>, ScaleIntoTables<DivideOp>>({"scales-folded"},
                                                                                patterns.getContext());
  patterns.addWithLabel<SignsIntoTable>({"signs-folded"}, patterns.getContext());
}

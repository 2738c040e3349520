//===- SignsIntoTables.cpp - negated halves of rotary embeddings ----------===//
//
// A rotary embedding multiplies its columns, one half of which is negated, by a table of sines. The table is negated
// there instead. This costs nothing if the table is a weight, and one multiplication if several embeddings read it.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Monomial.h"
#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"

using namespace mlir;
using namespace forge;

// x if `value` is x * -1 and has one user.
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
  for (auto [columns, table] : bothWays(op)) {
    SignedProduct product{op, columns.getDefiningOp<ConcatenateOp>(), table, {}, {}};
    int64_t last = op.getType().getRank() - 1;
    if (!product.parts || !columns.hasOneUse() || columns.getType() != op.getType() || !isFloat32(op) ||
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
    Value table = multiplied(rewriter, loc, own->table, row);
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

void forge::populateSignsIntoTables(RewritePatternSet &patterns) {
  patterns.addWithLabel<SignsIntoTable>({"signs-folded"}, patterns.getContext());
}

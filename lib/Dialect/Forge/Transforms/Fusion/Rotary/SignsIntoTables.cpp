//===- SignsIntoTables.cpp - negated columns of rotary embeddings ---------===//
//
// A rotary embedding multiplies its columns, half of which are negated, by a table of sines. The table is negated there
// instead, which is exact. This costs nothing if the table is a weight, and one multiplication if several embeddings
// read it.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Monomial.h"
#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// x if `value` is x * -1 and has one user.
static Value negated(Value value) {
  auto multiply = value.getDefiningOp<MultiplyOp>();
  if (!multiply || !value.hasOneUse())
    return {};
  for (auto [x, sign] : inEitherOrder(multiply))
    if (numberOf(sign) == -1.0 && x.getType() == value.getType())
      return x;
  return {};
}

namespace {
/// concatenate(-a, b, ...) * table, along the last axis, or x * signs * table.
struct SignedProduct {
  MultiplyOp op;
  Operation *columns; ///< what makes the columns with their signs; nothing else reads it
  Value table;
  SmallVector<Value> operands; ///< without the signs
  SmallVector<float> signs;    ///< an element of the last axis each

  /// The columns without their signs.
  Value unsignedColumns(OpBuilder &b) const {
    auto parts = dyn_cast<ConcatenateOp>(columns);
    return parts ? ConcatenateOp::create(b, withoutTrace(parts.getLoc()), operands, parts.getAxis()).getResult()
                 : operands.front();
  }
};
} // namespace

// The operands and the signs of `columns` are those of `product`, if it has any of a form that is known.
static bool findSigns(Value columns, SignedProduct &product) {
  int64_t last = tensorType(columns).getRank() - 1;
  if (auto parts = columns.getDefiningOp<ConcatenateOp>(); parts && fromFront(parts.getAxis(), last + 1) == last) {
    for (Value part : parts.getOperands()) {
      Value x = negated(part);
      product.operands.push_back(x ? x : part);
      product.signs.append(shapeOf(part).back(), x ? -1.0f : 1.0f);
    }
    return llvm::is_contained(product.signs, -1.0f);
  }
  auto multiply = columns.getDefiningOp<MultiplyOp>();
  if (!multiply)
    return false;
  for (auto [x, row] : inEitherOrder(multiply)) {
    DenseElementsAttr known;
    if (x.getType() != columns.getType() || tensorType(row).getRank() == 0 || !matchPattern(row, m_Constant(&known)) ||
        known.getNumElements() == 0 || known.getNumElements() != shapeOf(columns).back() ||
        shapeOf(row).back() != known.getNumElements() ||
        !llvm::all_of(known.getValues<APFloat>(),
                      [](const APFloat &sign) { return std::abs(sign.convertToFloat()) == 1; }))
      continue;
    product.operands.assign({x});
    for (const APFloat &sign : known.getValues<APFloat>())
      product.signs.push_back(sign.convertToFloat());
    return true;
  }
  return false;
}

static std::optional<SignedProduct> signedProduct(MultiplyOp op) {
  for (auto [columns, table] : inEitherOrder(op)) {
    SignedProduct product{op, columns.getDefiningOp(), table, {}, {}};
    bool hasColumns = columns.hasOneUse() && columns.getType() == op.getType() && isFloat32(op) &&
                      tensorType(table).getRank() > 0 && op.getType().getRank() > 0 &&
                      shapeOf(table).back() == op.getType().getShape().back();
    if (hasColumns && findSigns(columns, product))
      return product;
  }
  return std::nullopt;
}

namespace {
/// concatenate(-a, b) * table is concatenate(a, b) * (signs * table), and x * signs * table is x * (signs * table),
/// where the signs cost nothing, or one product for several. Nothing but `op` may read the columns with their signs.
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
      rewriter.replaceOpWithNewOp<MultiplyOp>(product.op, product.op.getType(), product.unsignedColumns(rewriter),
                                              table);
    }
    return success();
  }
};
} // namespace

void forge::populateSignsIntoTables(RewritePatternSet &patterns) {
  patterns.addWithLabel<SignsIntoTable>({"signs-folded"}, patterns.getContext());
}

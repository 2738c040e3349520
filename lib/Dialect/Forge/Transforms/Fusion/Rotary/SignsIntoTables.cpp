//===- SignsIntoTables.cpp - negated columns of rotary embeddings ---------===//
//
// A rotary embedding negates half of its columns before it multiplies them by a table of sines. The corresponding
// columns of the table are negated instead, which is exact. This costs nothing if the table is a weight, and one
// multiplication if several embeddings use it.
//
//===----------------------------------------------------------------------===//

#include "Fusion/Rewrites.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// x if `value` is x * -1 and has one user.
static Value negatedOperand(Value value) {
  auto multiply = value.getDefiningOp<MultiplyOp>();
  if (!multiply || !value.hasOneUse())
    return {};
  for (auto [x, sign] : inEitherOrder(multiply))
    if (scalarValue(sign) == -1.0 && x.getType() == value.getType())
      return x;
  return {};
}

namespace {
/// concatenate(-a, b, ...) * table, along the trailing axis, or x * signs * table for a row of constants 1 and -1.
struct SignedProduct {
  MultiplyOp op;
  Operation *columns; ///< the producer of the columns with their signs, which has no other users
  Value table;
  SmallVector<Value> operands; ///< what is concatenated, without the negations; or x alone
  SmallVector<float> signs;    ///< one per column

  /// Builds the columns without their signs.
  Value buildUnsignedColumns(OpBuilder &b) const {
    auto parts = dyn_cast<ConcatenateOp>(columns);
    return parts ? ConcatenateOp::create(b, withoutTrace(parts.getLoc()), operands, parts.getAxis()).getResult()
                 : operands.front();
  }
};
} // namespace

// Matches `columns` as a concatenation with negated operands, or as a product with a row of constants 1 and -1. Sets
// the operands and the signs of `product`; returns false for other columns.
static bool findSigns(Value columns, SignedProduct &product) {
  int64_t last = tensorType(columns).getRank() - 1;
  if (auto parts = columns.getDefiningOp<ConcatenateOp>(); parts && fromFront(parts.getAxis(), last + 1) == last) {
    for (Value part : parts.getOperands()) {
      Value x = negatedOperand(part);
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
    int64_t count = shapeOf(columns).back();
    bool isRow = tensorType(row).getRank() > 0 && shapeOf(row).back() == count && count > 0 &&
                 matchPattern(row, m_Constant(&known)) && known.getNumElements() == count;
    auto isSign = [](const APFloat &element) { return std::abs(element.convertToFloat()) == 1; };
    if (x.getType() != columns.getType() || !isRow || !llvm::all_of(known.getValues<APFloat>(), isSign))
      continue;
    product.operands.assign({x});
    for (const APFloat &sign : known.getValues<APFloat>())
      product.signs.push_back(sign.convertToFloat());
    return true;
  }
  return false;
}

// Matches `op` as a product of columns with signs, which have no other users, and a table with an element per column.
static std::optional<SignedProduct> matchSignedProduct(MultiplyOp op) {
  for (auto [columns, table] : inEitherOrder(op)) {
    SignedProduct product{op, columns.getDefiningOp(), table, {}, {}};
    // Signs of weights cost no call.
    bool hasColumns = columns.hasOneUse() && !isWeight(columns) && columns.getType() == op.getType() && isFloat32(op) &&
                      tensorType(table).getRank() > 0 && op.getType().getRank() > 0 &&
                      shapeOf(table).back() == op.getType().getShape().back();
    if (hasColumns && findSigns(columns, product))
      return product;
  }
  return std::nullopt;
}

LogicalResult forge::foldSignsIntoTable(MultiplyOp op, PatternRewriter &rewriter) {
  std::optional<SignedProduct> match = matchSignedProduct(op);
  if (!match)
    return failure();
  // All products with the same table and signs read the new table; other users of the table keep it. No product uses
  // the table twice, because its other operand has no other user.
  SmallVector<SignedProduct> products;
  Operation *first = op;
  for (Operation *user : match->table.getUsers()) {
    auto multiply = dyn_cast<MultiplyOp>(user);
    std::optional<SignedProduct> product = multiply ? matchSignedProduct(multiply) : std::nullopt;
    if (!product || product->table != match->table || product->signs != match->signs ||
        user->getBlock() != op->getBlock())
      continue;
    products.push_back(*product);
    first = user->isBeforeInBlock(first) ? user : first;
  }
  // The multiplication of the table by the signs is a call, unless the table is a weight: it has to replace several.
  if (!isWeight(match->table) && products.size() < 2)
    return failure();
  rewriter.setInsertionPoint(first);
  Location loc = withoutTrace(first->getLoc());
  auto type = RankedTensorType::get({int64_t(match->signs.size())}, tensorType(match->table).getElementType());
  HostTensor signs{type, {}, {match->signs.begin(), match->signs.end()}};
  Value row = ConstantOp::create(rewriter, loc, signs.toAttr());
  Value table = MultiplyOp::create(rewriter, loc, match->table, row);
  for (SignedProduct &product : products) {
    rewriter.setInsertionPoint(product.op);
    rewriter.replaceOpWithNewOp<MultiplyOp>(product.op, product.op.getType(), product.buildUnsignedColumns(rewriter),
                                            table);
  }
  return success();
}

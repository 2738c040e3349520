//===- ColumnMap.cpp - which columns a value is made of -------------------===//

#include "Fusion/Slices/ColumnMap.h"

#include "Fusion/Monomial.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace forge;

// Ops between a column and the source, and terms of a column: an embedding has half as many.
static constexpr int kDeepest = 24;
static constexpr size_t kMostTerms = 4;

bool ColumnMap::follow() {
  if (followTo({}))
    return true;
  SmallVector<Value> met(sources.begin(), sources.end());
  return llvm::any_of(llvm::reverse(met), [&](Value value) { return followTo(value); });
}

// Whether all columns end at one value that has the root's rows, where they are not followed beyond `last`.
bool ColumnMap::followTo(Value last) {
  end = last;
  source = {};
  isOfOne = true;
  ops.clear();
  terms.assign(columns, {});
  auto leavesRoot = [&](int64_t column) {
    follow(root, column, {1, {}, 0}, terms[column]);
    return isOfOne && source != root;
  };
  // The last column comes second: of values side by side it is one of another value than the first.
  if (!leavesRoot(0) || (columns > 1 && !leavesRoot(columns - 1)))
    return false;
  for (int64_t column = 1; column + 1 < columns; ++column)
    if (!leavesRoot(column))
      return false;
  return source && isLikeRoot(source) && ops.size() > 2;
}

// Ends at `value` where its op does something else.
void ColumnMap::follow(Value value, int64_t column, Factor factor, SmallVectorImpl<Term> &found) {
  Operation *op = value.getDefiningOp();
  isOfOne = isOfOne && depth < kDeepest && found.size() < kMostTerms;
  if (!isOfOne)
    return;
  ++depth;
  auto leave = llvm::scope_exit([&] { --depth; });
  if (!end && value != root && column == 0 && isLikeRoot(value))
    sources.insert(value);
  if (value != end && op && op->getNumResults() == 1 && !isWeight(value) && followOp(op, column, factor, found)) {
    ops.insert(op);
    return;
  }
  isOfOne = !source || source == value;
  source = value;
  found.push_back({column, factor});
}

namespace {
/// Where a column of a value lies along one of its axes.
struct ColumnAxis {
  int64_t outer, at, inner, size;

  ColumnAxis(ArrayRef<int64_t> shape, int64_t axis, int64_t column)
      : size(ShapedType::getNumElements(shape.drop_front(axis + 1))) {
    inner = column % size;
    at = column / size % shape[axis];
    outer = column / size / shape[axis];
  }
  /// The same column but for the axis, on which it is item `index` of `count`.
  int64_t column(int64_t index, int64_t count) const { return (outer * count + index) * size + inner; }
};
} // namespace

// Whether the column of the result is made of columns of operands: then those are followed.
bool ColumnMap::followOp(Operation *op, int64_t column, Factor factor, SmallVectorImpl<Term> &found) {
  Value result = op->getResult(0);
  ArrayRef<int64_t> shape = shapeOf(result);
  int64_t first = *rowAxes(result), rank = shape.size();
  if (isa<ReshapeOp, SqueezeOp, UnsqueezeOp>(op)) {
    if (!rowAxes(op->getOperand(0)))
      return false;
    follow(op->getOperand(0), column, factor, found);
    return true;
  }
  if (auto slice = dyn_cast<IndexOp>(op)) {
    int64_t axis = fromFront(slice.getDim(), rank);
    if (axis < first)
      return false;
    ColumnAxis place(shape, axis, column);
    int64_t index = slice.getStart() + place.at * slice.getStride();
    follow(slice.getOperandA(), place.column(index, shapeOf(slice.getOperandA())[axis]), factor, found);
    return true;
  }
  if (auto joined = dyn_cast<ConcatenateOp>(op)) {
    int64_t axis = fromFront(joined.getAxis(), rank);
    if (axis < first)
      return false;
    ColumnAxis place(shape, axis, column);
    int64_t index = place.at;
    for (Value part : joined.getOperands()) {
      int64_t count = shapeOf(part)[axis];
      if (index < count) {
        follow(part, place.column(index, count), factor, found);
        return true;
      }
      index -= count;
    }
    return false;
  }
  if (isa<AddOp, SubtractOp>(op)) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (operand.get().getType() != result.getType() || isWeight(operand.get()))
        return false;
    }
    follow(op->getOperand(0), column, factor, found);
    factor.number *= isa<SubtractOp>(op) ? -1 : 1;
    follow(op->getOperand(1), column, factor, found);
    return true;
  }
  if (!isa<MultiplyOp>(op))
    return false;
  for (auto [x, weight] : bothWays(op)) {
    if (x.getType() != result.getType() || !isWeight(weight))
      continue;
    if (std::optional<double> number = numberOf(weight)) {
      factor.number *= *number;
      follow(x, column, factor, found);
      return true;
    }
    // A table has the columns in its last axis, and one for each of them.
    if (factor.table || shape.drop_back() != shapeOf(root).drop_back() || tensorType(weight).getRank() == 0 ||
        shapeOf(weight).back() != shape.back())
      return false;
    factor.table = weight;
    factor.column = column;
    follow(x, column, factor, found);
    return true;
  }
  return false;
}

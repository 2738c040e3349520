//===- ColumnMap.cpp - columns as sums of other columns -------------------===//

#include "Fusion/Rotary/ColumnMap.h"

#include "Fusion/Monomial.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/ProgramOrder.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace forge;

// The largest number of ops between the source and the root of a ColumnMap, which is also the number of values that are
// tried as the source; and the largest number of summands of a column. Rotary embeddings need half.
static constexpr size_t kMostOps = 48, kMostSummands = 4;

// The operand of `op` that is multiplied by a weight, and has the shape of the result; null if there is none.
static OpOperand *scaledOperand(MultiplyOp op) {
  for (OpOperand &x : op->getOpOperands())
    if (x.get().getType() == op.getType() && isWeight(op->getOperand(1 - x.getOperandNumber())))
      return &x;
  return nullptr;
}

// The axis of a slice or a concatenation, from the front.
static int64_t axisOf(Operation *op) {
  auto slice = dyn_cast<IndexOp>(op);
  return fromFront(slice ? slice.getDim() : cast<ConcatenateOp>(op).getAxis(), tensorType(op->getResult(0)).getRank());
}

bool ColumnMap::find() {
  constexpr size_t kFewestOps = 3; // two slices and an addition
  // The operands of linear ops in breadth-first order from the root, so that the farthest are the last.
  llvm::SetVector<Value> candidates;
  candidates.insert(root);
  for (size_t next = 0; next < candidates.size() && candidates.size() < kMostOps; ++next)
    if (Operation *op = candidates[next].getDefiningOp(); isLinear(op))
      candidates.insert(op->operand_begin(), op->operand_end());
  auto moves = [](Value each) { return isa_and_nonnull<IndexOp, ConcatenateOp>(each.getDefiningOp()); };
  if (llvm::none_of(candidates, moves))
    return false; // Every column stays in its position.
  for (Value value : llvm::reverse(candidates)) {
    source = value;
    bool hasRows = tensorType(value).getRank() == tensorType(root).getRank() &&
                   shapeOf(value).drop_back() == shapeOf(root).drop_back();
    if (value != root && !isWeight(value) && hasRows && collectOps() && ops.size() >= kFewestOps && findColumns())
      return true;
  }
  return false;
}

std::optional<int64_t> ColumnMap::firstColumnAxis(Value value) const {
  ArrayRef<int64_t> shape = shapeOf(value);
  for (size_t axis = 0; axis <= shape.size(); ++axis)
    if (IndexMap::elementsOf(shape.take_front(axis)) == rows)
      return axis;
  return std::nullopt;
}

bool ColumnMap::isLinear(Operation *op) {
  auto [known, isNew] = linear.try_emplace(op);
  if (isNew)
    known->second = computeLinear(op);
  return known->second;
}

bool ColumnMap::computeLinear(Operation *op) const {
  if (!op || op->getNumResults() != 1 || isWeight(op->getResult(0)))
    return false;
  Value result = op->getResult(0);
  std::optional<int64_t> first = firstColumnAxis(result);
  if (isReshape(op))
    return firstColumnAxis(op->getOperand(0)).has_value();
  if (isa<IndexOp, ConcatenateOp>(op))
    return first && axisOf(op) >= *first;
  if (isa<AddOp, SubtractOp>(op))
    return llvm::all_of(op->getOperands(),
                        [&](Value each) { return each.getType() == result.getType() && !isWeight(each); });
  auto product = dyn_cast<MultiplyOp>(op);
  return product && scaledOperand(product);
}

bool ColumnMap::collectOps() {
  ops.clear();
  SmallVector<Value> pending{root};
  while (!pending.empty()) {
    Value value = pending.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (value == source || llvm::is_contained(ops, op))
      continue;
    if (ops.size() == kMostOps || !isLinear(op))
      return false;
    ops.push_back(op);
    if (auto product = dyn_cast<MultiplyOp>(op))
      pending.push_back(scaledOperand(product)->get());
    else
      llvm::append_range(pending, op->getOperands());
  }
  llvm::sort(ops, isBefore);
  return true;
}

bool ColumnMap::findColumns() {
  KnownColumns known;
  for (int64_t column = 0; column < shapeOf(source).back(); ++column)
    known[source].push_back({Summand{column}});
  for (Operation *op : ops) {
    std::optional<Columns> made = columnsOf(op, known);
    if (!made)
      return false;
    known[op->getResult(0)] = std::move(*made);
  }
  columns = known.lookup(root);
  return !columns.empty();
}

std::optional<ColumnMap::Columns> ColumnMap::columnsOf(Operation *op, const KnownColumns &known) const {
  if (isReshape(op))
    return known.at(op->getOperand(0));
  if (auto product = dyn_cast<MultiplyOp>(op))
    return scaledColumns(product, known.at(scaledOperand(product)->get()));
  if (isa<AddOp, SubtractOp>(op)) {
    Columns sums = known.at(op->getOperand(0));
    for (auto [sum, other] : llvm::zip_equal(sums, known.at(op->getOperand(1))))
      for (Summand each : other) {
        each.coefficient *= isa<SubtractOp>(op) ? -1 : 1;
        sum.push_back(each);
      }
    bool isShort = llvm::all_of(sums, [](const auto &sum) { return sum.size() <= kMostSummands; });
    return isShort ? std::optional(sums) : std::nullopt;
  }
  return movedColumns(op, known);
}

std::optional<ColumnMap::Columns> ColumnMap::scaledColumns(MultiplyOp op, Columns columns) const {
  ArrayRef<int64_t> shape = op.getType().getShape();
  Value table = op->getOperand(1 - scaledOperand(op)->getOperandNumber()); // isLinear() has found a scaled operand.
  std::optional<double> scalar = scalarValue(table);
  // The table will be an operand of a product in the shape of the root. It has to be broadcast there as it is here, and
  // to have an element for each column.
  bool hasRowsOfRoot = shape.drop_back() == shapeOf(root).drop_back();
  bool hasElementPerColumn = tensorType(table).getRank() > 0 && shapeOf(table).back() == shape.back();
  if (!scalar && !(hasRowsOfRoot && hasElementPerColumn))
    return std::nullopt;
  for (auto [column, sum] : llvm::enumerate(columns))
    for (Summand &each : sum) {
      if (scalar) {
        each.coefficient *= *scalar;
        continue;
      }
      if (each.table)
        return std::nullopt;
      each.table = table;
      each.tableColumn = column;
    }
  return columns;
}

ColumnMap::Columns ColumnMap::movedColumns(Operation *op, const KnownColumns &known) const {
  Value result = op->getResult(0);
  ArrayRef<int64_t> shape = shapeOf(result);
  auto slice = dyn_cast<IndexOp>(op);
  int64_t axis = axisOf(op), inner = IndexMap::elementsOf(shape.drop_front(axis + 1));
  Columns moved;
  for (int64_t column = 0; column < IndexMap::elementsOf(shape.drop_front(*firstColumnAxis(result))); ++column) {
    int64_t outer = column / inner / shape[axis], at = column / inner % shape[axis];
    unsigned part = 0; // the operand of a concatenation that has the column
    if (slice)
      at = slice.getStart() + at * slice.getStride();
    else
      for (; at >= axisSize(op->getOperand(part), axis); ++part)
        at -= axisSize(op->getOperand(part), axis);
    Value operand = op->getOperand(part);
    moved.push_back(known.at(operand)[(outer * axisSize(operand, axis) + at) * inner + column % inner]);
  }
  return moved;
}

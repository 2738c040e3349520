//===- ColumnMap.cpp - columns as sums of columns -------------------------===//

#include "Fusion/Rotary/ColumnMap.h"

#include "Fusion/Monomial.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"

using namespace mlir;
using namespace forge;

// The largest number of ops between a value and its source. Rotary embeddings need half.
static constexpr size_t kMostOps = 48;
// The largest number of summands of a column. Rotary embeddings need half.
static constexpr size_t kMostSummands = 4;
// The number of ops of the smallest sum with moved columns: two slices and an addition.
static constexpr size_t kFewestOps = 3;

std::optional<int64_t> ColumnMap::columnAxes(Value value) const {
  int64_t size = 1, axis = 0;
  for (int64_t each : shapeOf(value)) {
    if (size == rows)
      break;
    size *= each;
    ++axis;
  }
  return size == rows ? std::optional(axis) : std::nullopt;
}

// The operand of `op` that a weight multiplies; null for products of two activations.
static OpOperand *factorOf(MultiplyOp op) {
  for (OpOperand &x : op->getOpOperands())
    if (x.get().getType() == op.getType() && isWeight(op->getOperand(1 - x.getOperandNumber())))
      return &x;
  return nullptr;
}

// Whether each column of the result of `op` is a linear combination of columns of its operands.
bool ColumnMap::isLinear(Operation *op) const {
  if (!op || op->getNumResults() != 1 || isWeight(op->getResult(0)))
    return false;
  Value result = op->getResult(0);
  int64_t rank = tensorType(result).getRank();
  std::optional<int64_t> first = columnAxes(result);
  if (isReshape(op))
    return columnAxes(op->getOperand(0)).has_value();
  if (auto slice = dyn_cast<IndexOp>(op))
    return first && fromFront(slice.getDim(), rank) >= *first;
  if (auto joined = dyn_cast<ConcatenateOp>(op))
    return first && fromFront(joined.getAxis(), rank) >= *first;
  if (isa<AddOp, SubtractOp>(op))
    return llvm::all_of(op->getOperands(),
                        [&](Value each) { return each.getType() == result.getType() && !isWeight(each); });
  auto product = dyn_cast<MultiplyOp>(op);
  return product && factorOf(product);
}

// Adds the ops between the source and `value` to `ops`, in program order. Returns false if one of them is not linear.
bool ColumnMap::collect(Value value) {
  Operation *op = value.getDefiningOp();
  if (value == source || ops.contains(op))
    return true;
  if (ops.size() == kMostOps || !isLinear(op))
    return false;
  auto product = dyn_cast<MultiplyOp>(op);
  bool isCollected = product ? collect(factorOf(product)->get())
                             : llvm::all_of(op->getOperands(), [&](Value each) { return collect(each); });
  return isCollected && ops.insert(op);
}

// The columns of the result of a linear op as sums of columns of the source. `known` has those of its operands. None if
// a sum is too long, or a table does not have one element per column.
std::optional<ColumnMap::Columns> ColumnMap::columnsOf(Operation *op, const KnownColumns &known) const {
  if (isReshape(op))
    return known.at(op->getOperand(0));
  if (auto product = dyn_cast<MultiplyOp>(op))
    return scaledColumns(product, known.at(factorOf(product)->get()));
  if (isa<AddOp, SubtractOp>(op)) {
    Columns sums = known.at(op->getOperand(0));
    for (auto [sum, other] : llvm::zip_equal(sums, known.at(op->getOperand(1))))
      for (Summand each : other) {
        each.number *= isa<SubtractOp>(op) ? -1 : 1;
        sum.push_back(each);
      }
    bool isShort = llvm::all_of(sums, [](const auto &sum) { return sum.size() <= kMostSummands; });
    return isShort ? std::optional(sums) : std::nullopt;
  }
  return movedColumns(op, known);
}

// `columns` times the weight of `op`: a scalar, or a table whose trailing axis has one element for each column. None if
// a column is multiplied by a table already.
std::optional<ColumnMap::Columns> ColumnMap::scaledColumns(MultiplyOp op, Columns columns) const {
  ArrayRef<int64_t> shape = op.getType().getShape();
  Value table = op->getOperand(1 - factorOf(op)->getOperandNumber());
  std::optional<double> scalar = scalarValue(table);
  if (!scalar && (shape.drop_back() != shapeOf(root).drop_back() || tensorType(table).getRank() == 0 ||
                  shapeOf(table).back() != shape.back()))
    return std::nullopt;
  for (auto [column, sum] : llvm::enumerate(columns))
    for (Summand &each : sum) {
      if (scalar) {
        each.number *= *scalar;
        continue;
      }
      if (each.table)
        return std::nullopt;
      each.table = table;
      each.tableColumn = column;
    }
  return columns;
}

// The columns of a slice or a concatenation `op` along an axis of the columns. An index of a column has three digits:
// the index along the axes before that axis (`outer`), along it (`at`), and along the axes after it.
ColumnMap::Columns ColumnMap::movedColumns(Operation *op, const KnownColumns &known) const {
  Value result = op->getResult(0);
  ArrayRef<int64_t> shape = shapeOf(result);
  auto slice = dyn_cast<IndexOp>(op);
  int64_t rank = shape.size(), axis = fromFront(slice ? slice.getDim() : cast<ConcatenateOp>(op).getAxis(), rank);
  int64_t inner = IndexMap::elementsOf(shape.drop_front(axis + 1));
  Columns moved;
  for (int64_t column = 0; column < IndexMap::elementsOf(shape.drop_front(*columnAxes(result))); ++column) {
    int64_t outer = column / inner / shape[axis], at = column / inner % shape[axis];
    OpOperand *operand = &op->getOpOperand(0);
    if (slice)
      at = slice.getStart() + at * slice.getStride();
    else
      for (; at >= shapeOf(operand->get())[axis]; operand = &op->getOpOperand(operand->getOperandNumber() + 1))
        at -= shapeOf(operand->get())[axis];
    int64_t size = shapeOf(operand->get())[axis];
    moved.push_back(known.at(operand->get())[(outer * size + at) * inner + column % inner]);
  }
  return moved;
}

bool ColumnMap::find() {
  // The operands of linear ops, back from the root; the earliest are the last.
  llvm::SetVector<Value> candidates;
  candidates.insert(root);
  for (size_t next = 0; next < candidates.size() && candidates.size() < kMostOps; ++next)
    if (Operation *op = candidates[next].getDefiningOp(); isLinear(op))
      candidates.insert(op->operand_begin(), op->operand_end());
  for (Value value : llvm::reverse(candidates)) {
    source = value;
    ops.clear();
    bool hasRows = tensorType(value).getRank() == tensorType(root).getRank() &&
                   shapeOf(value).drop_back() == shapeOf(root).drop_back();
    if (value == root || isWeight(value) || !hasRows || !collect(root) || ops.size() < kFewestOps)
      continue;
    KnownColumns known;
    for (int64_t column = 0; column < shapeOf(source).back(); ++column)
      known[source].push_back({Summand{column}});
    bool areKnown = llvm::all_of(ops, [&](Operation *op) {
      std::optional<Columns> made = columnsOf(op, known);
      if (made)
        known[op->getResult(0)] = std::move(*made);
      return made.has_value();
    });
    if (areKnown) {
      columns = known.at(root);
      return true;
    }
  }
  return false;
}

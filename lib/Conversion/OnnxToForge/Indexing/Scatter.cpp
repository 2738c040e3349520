//===- Scatter.cpp - ONNX Scatter, ScatterElements, ScatterND -------------===//
//
// The device has no scatter. With constant indices it becomes gathers from the concatenation of operand and updates,
// otherwise one comparison and one Where per update, up to a limit. Both apply the updates in order.
//===----------------------------------------------------------------------===//

#include "Indexing.h"

using namespace mlir;
using namespace forge;

constexpr int64_t kMostSteps = 64;
// The limit of elements for tensors that have all updates of each element.
constexpr int64_t kMostAtOnce = 1 << 24;

// Applies an update to an element.
static Value combined(ForgeBuilder &b, StringRef reduction, Value old, Value update) {
  if (reduction == "add")
    return b.create<AddOp>(old, update);
  if (reduction == "mul")
    return b.create<MultiplyOp>(old, update);
  if (reduction == "max")
    return b.create<MaxOp>(old, update);
  if (reduction == "min")
    return b.create<MinOp>(old, update);
  return update;
}

// Constant rows. Updates of the same row are applied one after another: round i has the i-th update of each row.
static Value scatterKnown(OnnxNode &n, ForgeBuilder &b, Value data, ArrayRef<int64_t> rows, Value updates,
                          StringRef reduction) {
  int64_t rowCount = shapeOf(data)[0];
  SmallVector<SmallVector<int64_t>> rounds;
  SmallVector<int64_t> seen(rowCount, 0), last(rowCount, -1);
  for (auto [update, row] : llvm::enumerate(rows)) {
    last[row] = update;
    size_t round = seen[row]++;
    if (round == rounds.size())
      rounds.emplace_back();
    rounds[round].push_back(update);
  }
  if (reduction == "none") { // The last update of a row wins.
    rounds.assign(1, {});
    for (int64_t update : last)
      if (update >= 0)
        rounds.front().push_back(update);
  }
  if (static_cast<int64_t>(rounds.size()) > kMostSteps)
    return n.refuse(Code::TooMuchToUnroll, Twine(rounds.size()) + " updates of one element are too many to unroll");
  for (ArrayRef<int64_t> round : rounds) {
    SmallVector<int64_t> targets, table = llvm::to_vector(llvm::seq<int64_t>(0, rowCount));
    for (auto [i, update] : llvm::enumerate(round)) {
      targets.push_back(rows[update]);
      table[rows[update]] = rowCount + i;
    }
    Value fresh = b.take(updates, 0, round);
    if (reduction != "none")
      fresh = combined(b, reduction, b.take(data, 0, targets), fresh);
    data = b.take(b.concatenate({data, fresh}, 0), 0, table);
  }
  return data;
}

// Applies all updates at once, along a new leading axis: the sum, maximum, minimum or last of the updates of each
// element. Elements without an update are selected from `data`: an addition of 0 would change the sign of -0.
static Value scatterAtOnce(ForgeBuilder &b, Value data, Value indices, Value updates, int64_t axis,
                           StringRef reduction) {
  if (reduction == "min") { // min(x, y) is -max(-x, -y).
    auto negated = [&](Value value) { return b.create<MultiplyOp>(value, b.scalarLike(value, -1)); };
    return negated(scatterAtOnce(b, negated(data), indices, negated(updates), axis, "max"));
  }
  int64_t rank = rankOf(data), steps = shapeOf(indices)[axis];
  // `axis` becomes the new leading axis, which enumerates the updates.
  auto spread = [&](Value value) {
    SmallVector<int64_t> order = concatShapes(axis, withoutAxis(allAxes(rank), axis));
    return b.reshape(b.transpose(value, order), concatShapes(steps, withSize(shapeOf(value), axis, 1)));
  };
  Value range = b.iota(shapeOf(data)[axis], axis + 1, rank + 1, elementOf(indices));
  Value hit = b.compare<EqualOp>(spread(indices), range), fresh = spread(updates), none = b.scalarLike(data, -1);
  auto largestWhere = [&](Value condition, Value value, Value otherwise) {
    return b.reduce<ReduceMaxOp>(b.create<WhereOp>(condition, value, otherwise), {0}, /*keepDims=*/false);
  };
  Value lowest = b.scalarLike(data, -std::numeric_limits<double>::infinity());
  if (reduction == "max")
    return b.create<MaxOp>(data, largestWhere(hit, fresh, lowest));
  Value number = b.iota(steps, 0, rank + 1, elementOf(data)), last = largestWhere(hit, number, none);
  if (!last)
    return {};
  Value updated;
  if (reduction == "add") {
    Value ofHits = b.create<WhereOp>(hit, fresh, b.scalarLike(data, 0));
    updated = b.create<AddOp>(data, b.reduce<ReduceSumOp>(ofHits, {0}, /*keepDims=*/false));
  } else {
    updated = largestWhere(b.compare<EqualOp>(number, b.reshape(last, withAxis(shapeOf(last), 0))), fresh, lowest);
  }
  return b.create<WhereOp>(b.compare<GreaterOp>(last, none), updated, data);
}

// One Where for each of the `indices` along `axis`.
static Value scatterUnknown(OnnxNode &n, ForgeBuilder &b, Value data, Value indices, Value updates, int64_t axis,
                            StringRef reduction) {
  int64_t steps = shapeOf(indices)[axis];
  if (steps > kMostSteps && reduction != "mul" && elementOf(data).isF32() &&
      steps <= kMostAtOnce / std::max<int64_t>(1, numElements(data)))
    return scatterAtOnce(b, data, indices, updates, axis, reduction);
  if (steps > kMostSteps)
    return n.refuse(Code::TooMuchToUnroll,
                    Twine(steps) + " updates at indices that are not known at compile time are too many to unroll");
  Value range = b.iota(shapeOf(data)[axis], axis, rankOf(data), elementOf(indices));
  for (int64_t step = 0; step < steps; ++step) {
    Value hit = b.compare<EqualOp>(b.slice(indices, axis, step, step + 1), range);
    data = b.create<WhereOp>(hit, combined(b, reduction, data, b.slice(updates, axis, step, step + 1)), data);
  }
  return data;
}

Value forge::scatterRows(OnnxNode &n, ForgeBuilder &b, Value data, Value rows, Value updates, StringRef reduction) {
  if (!data || !rows || !updates)
    return {};
  if (shapeOf(rows)[0] == 0)
    return data;
  if (DenseElementsAttr known = knownValue(rows))
    return scatterKnown(n, b, data, intValues(known), updates, reduction);
  Value indices = b.reshape(rows, sizesAlong(rankOf(data), 0, shapeOf(rows)[0]));
  return scatterUnknown(n, b, data, indices, updates, 0, reduction);
}

// `reduction` exists since 16. ONNX has max and min since 18, but torch.onnx writes them since 16, and onnxruntime
// computes them.
static StringRef readReduction(OnnxNode &n, Value x) {
  static constexpr StringRef kReductions[] = {"none", "add", "mul", "max", "min"};
  if (n.since() < 16)
    return "none";
  StringRef reduction = n.choiceAttr("reduction", kReductions);
  if (x && (reduction == "add" || reduction == "mul") && !computesDirectly(elementOf(x)))
    n.refuse(Code::IntegerRange,
             "reduction '" + reduction + "' on integers of this type wraps, which Int32 on the device does not");
  return reduction;
}

// ScatterElements (since 11, 13, 16, 18), and Scatter (since 9, 11), its former name.
Values forge::convertScatterElements(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), indices = n.input(1), updates = n.input(2);
  StringRef reduction = n.opType() == "Scatter" ? "none" : readReduction(n, x);
  int64_t axis = n.axisAttr(x, 0);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  if (shapeOf(indices) != shapeOf(updates))
    return n.refuse(Code::ShapeMismatch, "the updates do not have the shape of the indices");
  if (numElements(indices) == 0)
    return {x};
  Value positions = elementPositions(n, b, shape, indices, axis);
  if (!positions)
    return {};
  // Indices that cover the other axes completely update one slice at a time.
  bool coversOthers = ArrayRef(withSize(shape, axis, shapeOf(indices)[axis])) == shapeOf(indices);
  if (!knownValue(positions) && coversOthers)
    return {scatterUnknown(n, b, x, wrappedIndices(n, b, indices, shape[axis]), updates, axis, reduction)};
  int64_t count = numElements(indices);
  Value flat = b.reshape(x, {numElements(x)});
  return {
      b.reshape(scatterRows(n, b, flat, b.reshape(positions, {count}), b.reshape(updates, {count}), reduction), shape)};
}

// ScatterND (since 11, 13, 16, 18): each index tuple selects one row of the flattened operand.
Values forge::convertScatterND(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0), indices = n.input(1), updates = n.input(2);
  StringRef reduction = readReduction(n, x);
  if (n.failed())
    return {};
  SmallVector<int64_t> shape(shapeOf(x));
  Value rows = tupleRows(n, b, shape, indices, 0);
  if (!rows)
    return {};
  int64_t tuple = shapeOf(indices).back(), count = numElements(rows);
  ArrayRef<int64_t> rest = ArrayRef(shape).drop_front(tuple);
  if (ArrayRef(concatShapes(shapeOf(rows), rest)) != shapeOf(updates))
    return n.refuse(Code::ShapeMismatch, "the updates do not fit the operand and the indices");
  if (numElements(updates) == 0)
    return {x};
  if (std::optional<ScatterAxis> one = scatterAxis(b, shape, indices, updates))
    return {scatterUnknown(n, b, x, wrappedIndices(n, b, one->indices, shape[one->axis]), one->updates, one->axis,
                           reduction)};
  auto flattened = [&](Value value, int64_t first) { return b.reshape(value, concatShapes(first, rest)); };
  Value data = flattened(x, ShapedType::getNumElements(ArrayRef(shape).take_front(tuple)));
  return {b.reshape(scatterRows(n, b, data, b.reshape(rows, {count}), flattened(updates, count), reduction), shape)};
}

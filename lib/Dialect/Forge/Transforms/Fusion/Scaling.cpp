//===- Scaling.cpp - multiplies weights, and other helpers of folds -------===//

#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

using namespace mlir;
using namespace forge;

bool forge::hasOneElement(Value value) { return tensorType(value).getNumElements() == 1; }

bool forge::isPerChannel(Value value, RankedTensorType type, int64_t axis) {
  int64_t missingAxes = type.getRank() - tensorType(value).getRank(), channels = type.getDimSize(axis);
  return missingAxes >= 0 && axis >= missingAxes && tensorType(value).getNumElements() == channels &&
         shapeOf(value)[axis - missingAxes] == channels;
}

std::pair<Value, Value> forge::perChannelOperands(Operation *op) {
  RankedTensorType type = tensorType(op->getResult(0));
  // With a single channel the weight may be the scale of a quantiser, which is not merged with other factors.
  if (!isFloat32(op->getResult(0)) || type.getRank() != 4 || type.getDimSize(1) == 1)
    return {};
  for (auto [x, weight] : inEitherOrder(op))
    if (x.getType() == type && isPerChannel(weight, type, /*axis=*/1) && isWeight(weight) && !isWeight(x))
      return {x, weight};
  return {};
}

bool forge::haveSameShapeAfterLeadingOnes(Value a, Value b) {
  size_t rank = std::max(shapeOf(a).size(), shapeOf(b).size());
  return withRank(shapeOf(a), rank) == withRank(shapeOf(b), rank);
}

bool forge::isProjection(Operation *op) {
  std::optional<WeightProduct> product = WeightProduct::of(op);
  return product && product->mayReplaceBias();
}

Value forge::withoutMoves(Value weight) {
  for (Operation *op = weight.getDefiningOp(); isReshape(op) || isa_and_nonnull<TransposeOp>(op);
       op = weight.getDefiningOp())
    weight = op->getOperand(0);
  return weight;
}

std::pair<Value, SmallVector<Operation *>> forge::withoutUnaryOps(Value value) {
  SmallVector<Operation *> functions;
  for (Operation *op = value.getDefiningOp(); op && value.hasOneUse() && isElementwise(op) && op->getNumOperands() == 1;
       op = value.getDefiningOp()) {
    functions.push_back(op);
    value = op->getOperand(0);
  }
  return {value, functions};
}

Value forge::padded(OpBuilder &b, Location loc, Value value, int64_t axis, int64_t before, int64_t after, double fill) {
  SmallVector<Value, 3> parts;
  auto addFill = [&](int64_t count) {
    if (count > 0)
      parts.push_back(ConstantOp::create(b, loc, splatAttr(withDim(value, axis, count), fill)));
  };
  addFill(before);
  parts.push_back(value);
  addFill(after);
  RankedTensorType type = withDim(value, axis, before + shapeOf(value)[axis] + after);
  return parts.size() == 1 ? value : ConcatenateOp::create(b, loc, type, parts, axis - type.getRank()).getResult();
}

Value forge::withColumns(OpBuilder &b, const WeightProduct &product, function_ref<Value(Value, int64_t)> replace) {
  auto matmul = cast<MatmulOp>(product.op());
  Location loc = withoutTrace(matmul.getLoc());
  Value matrix = replace(product.weights->get(), product.columns), bias;
  if (product.bias)
    bias = replace(product.bias->get(), tensorType(product.bias->get()).getRank() - 1);
  RankedTensorType type = withDim(matmul, product.axis, shapeOf(matrix)[product.columns]);
  Value value = MatmulOp::create(b, loc, type, matmul.getOperandA(), matrix, product.sum ? Value() : bias);
  return product.sum ? AddOp::create(b, loc, type, value, bias).getResult() : value;
}

Value forge::cloneOn(OpBuilder &b, Location loc, Operation *op, Value operand) {
  Operation *copy = b.clone(*op);
  copy->setLoc(loc);
  copy->setOperand(0, operand);
  return copy->getResult(0);
}

Value forge::scalarConstant(OpBuilder &b, Location loc, float scalar) {
  Type element = b.getF32Type();
  return ScalarConstantOp::create(b, loc, RankedTensorType::get({1}, element), APFloat(scalar), element);
}

// Whether `a` is before `b` in their block. isBeforeInBlock() gives a new op an order between those of its neighbours,
// and orders the whole block again if there is none left. For repeated insertions before one op that would take
// quadratic time, so that the neighbours of `b` are searched first.
static bool isBeforeNearby(Operation *a, Operation *b) {
  constexpr int kNear = 32;
  Operation *before = b->getPrevNode(), *after = b;
  for (int step = 0; step < kNear && (before || after); ++step) {
    if (before == a || after == a)
      return before == a;
    before = before ? before->getPrevNode() : nullptr;
    after = after ? after->getNextNode() : nullptr;
  }
  return a->isBeforeInBlock(b);
}

void forge::makeAvailable(Value value, Operation *op) {
  Operation *producer = value.getDefiningOp();
  if (isBeforeNearby(producer, op))
    return;
  for (Value operand : producer->getOperands())
    makeAvailable(operand, op);
  // Not by moveBefore(), after which the next isBeforeInBlock() orders the whole block again.
  producer->remove();
  op->getBlock()->getOperations().insert(op->getIterator(), producer);
}

AxisIndices forge::indicesOf(Value value, std::optional<int64_t> axis) {
  return axis ? AxisIndices::of(value, *axis) : AxisIndices::all(value);
}

// The factor by which `weight` is multiplied so that its `changed` elements are scaled by `factor`, and the others are
// not. `factor` has one element, or one for each changed index of an axis. The result broadcasts to the weight, and has
// ones for the other indices of the axis: for the scalar s, indices 1 and 2, and a weight [4, 8], it is [1, s, s, 1],
// of shape [4, 1].
static Value factorOfWeight(OpBuilder &b, Location loc, Value weight, const AffineRegion::ChangedElements &changed,
                            Value factor) {
  if (changed.isAll()) {
    // `factor` has one element. With more axes than the weight, it would add axes to their product.
    int64_t rank = std::min<int64_t>(tensorType(weight).getRank(), 1);
    return tensorType(factor).getRank() > rank ? reshaped(b, loc, factor, SmallVector<int64_t>(rank, 1)) : factor;
  }
  SmallVector<int64_t> shape(1 + changed.trailing, 1); // the axis, and size 1 for those after it
  shape[0] = changed.size;
  int64_t count = changed.end - changed.begin;
  if (tensorType(factor).getNumElements() == changed.size) // All indices of the axis change.
    return reshaped(b, loc, factor, shape);
  Value row = reshaped(b, loc, factor, {tensorType(factor).getNumElements()});
  if (hasOneElement(row))
    row = RepeatOp::create(b, loc, row, ArrayRef(count));
  row = padded(b, loc, row, /*axis=*/0, changed.begin, changed.size - changed.end, /*fill=*/1);
  return reshaped(b, loc, row, shape);
}

// a * b, of float32, folded if both are scalar constants.
static Value timesFactor(OpBuilder &builder, Location loc, Value a, Value b) {
  auto first = a.getDefiningOp<ScalarConstantOp>(), second = b.getDefiningOp<ScalarConstantOp>();
  if (!first || !second)
    return MultiplyOp::create(builder, loc, a, b);
  return scalarConstant(builder, loc, first.getConstant().convertToFloat() * second.getConstant().convertToFloat());
}

void forge::scaleWeights(RewriterBase &b, ArrayRef<AffineRegion> regions, Value factor) {
  OpBuilder::InsertionGuard guard(b);
  // A weight with several uses, of which the same elements change, is scaled once, because --forge-join-slices merges
  // ops only if they use the same tables.
  struct ScaledWeight {
    Value weight;
    AffineRegion::ChangedElements changed;
    Value scaled;
  };
  SmallVector<ScaledWeight> made;
  auto scale = [&](Value weight, const AffineRegion::ChangedElements &changed, Operation *user) {
    for (const ScaledWeight &known : made)
      if (known.weight == weight && known.changed == changed)
        return known.scaled;
    b.setInsertionPoint(user);
    Location loc = withoutTrace(user->getLoc());
    // A scalar constant is copied. A weight is moved instead, because the file would have a copy twice.
    auto scalar = factor.getDefiningOp<ScalarConstantOp>();
    Value available = scalar ? b.clone(*scalar)->getResult(0) : factor;
    makeAvailable(available, user);
    Value scaled = timesFactor(b, loc, weight, factorOfWeight(b, loc, weight, changed, available));
    made.push_back({weight, changed, scaled});
    return scaled;
  };
  for (const AffineRegion &region : regions)
    for (const auto &[use, changed] : region.changedWeights()) {
      Operation *user = use->getOwner();
      Value scaled = scale(use->get(), changed, user);
      makeAvailable(scaled, user);
      b.modifyOpInPlace(user, [use = use, scaled] { use->set(scaled); });
    }
}

void forge::replaceOnnxValue(RewriterBase &b, Operation *op, Value value) {
  b.modifyOpInPlace(value.getDefiningOp(), [&] { value.getDefiningOp()->setLoc(op->getLoc()); });
  b.replaceOp(op, value);
}

void forge::dropTrace(RewriterBase &b, Operation *op) {
  b.modifyOpInPlace(op, [&] { op->setLoc(withoutTrace(op->getLoc())); });
}

void forge::dropTraces(RewriterBase &b, const AffineRegion &region) {
  for (Value value : region.changed())
    dropTrace(b, value.getDefiningOp());
}

bool forge::foldFactorIntoUsers(RewriterBase &b, Value value, std::optional<int64_t> axis, Value factor) {
  AffineRegion region(/*perIndex=*/axis.has_value());
  if (!region.collectReaders(value, indicesOf(value, axis)) || region.changedWeights().empty() ||
      !staysFiniteIfScaled(region))
    return false;
  scaleWeights(b, region, factor);
  dropTraces(b, region);
  return true;
}

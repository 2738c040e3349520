//===- Scaling.cpp - factors and terms in weights -------------------------===//

#include "Fusion/Scaling.h"

#include "forge/Dialect/Forge/Analysis/AffineRegion.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/IR/Constants/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace forge;

bool forge::isFloat32(Value value) { return tensorType(value).getElementType().isF32(); }

bool forge::hasOneElement(Value value) { return tensorType(value).getNumElements() == 1; }

bool forge::isPerChannel(Value value, int64_t axis, int64_t rank, int64_t channels) {
  int64_t own = tensorType(value).getRank(), at = axis - (rank - own);
  return own <= rank && at >= 0 && tensorType(value).getNumElements() == channels && shapeOf(value)[at] == channels;
}

std::pair<Value, Value> forge::withChannels(Operation *op) {
  RankedTensorType type = tensorType(op->getResult(0));
  // One channel's number may be that of a quantiser.
  if (!isFloat32(op->getResult(0)) || type.getRank() != 4 || type.getDimSize(1) == 1)
    return {};
  for (auto [x, weight] : inEitherOrder(op))
    if (x.getType() == type && isPerChannel(weight, 1, 4, type.getDimSize(1)) && isWeight(weight) && !isWeight(x))
      return {x, weight};
  return {};
}

bool forge::isLike(Value a, Value b) {
  auto core = [](Value value) { return shapeOf(value).drop_while([](int64_t size) { return size == 1; }); };
  return core(a) == core(b);
}

bool forge::isOrdinaryFactor(const APFloat &factor) {
  constexpr double kLimit = 1 << 20;
  double magnitude = std::abs(factor.convertToDouble());
  return magnitude >= 1 / kLimit && magnitude <= kLimit;
}

// A sum of products with an infinite weight is NaN where a sum times an infinity is infinite. Weights whose elements
// are not known are finite, but may be 0.
bool forge::isOrdinary(Value factor, bool divides, bool takesReciprocals) {
  if (auto scalar = factor.getDefiningOp<ScalarConstantOp>())
    return isOrdinaryFactor(scalar.getConstant());
  DenseElementsAttr elements;
  if (!matchPattern(withoutMoves(factor), m_Constant(&elements)))
    return !divides || takesReciprocals;
  return llvm::all_of(elements.getValues<APFloat>(), [&](const APFloat &element) {
    constexpr float kLargest = 1 << 20;
    return divides ? isOrdinaryFactor(element) : std::abs(element.convertToFloat()) <= kLargest;
  });
}

bool forge::isProjection(Operation *op) {
  std::optional<WeightProduct> product = WeightProduct::of(op);
  return product && product->hasWeightsAsBias();
}

Value forge::withoutMoves(Value weight) {
  while (weight.getDefiningOp() && isa<ReshapeOp, TransposeOp>(weight.getDefiningOp()))
    weight = weight.getDefiningOp()->getOperand(0);
  return weight;
}

Value forge::reshaped(OpBuilder &b, Location loc, Value value, ArrayRef<int64_t> shape) {
  return shapeOf(value) == shape ? value
                                 : ReshapeOp::create(b, loc, tensorType(value).clone(shape), value, shape).getResult();
}

Value forge::padded(OpBuilder &b, Location loc, Value value, int64_t axis, int64_t before, int64_t after,
                    double number) {
  SmallVector<Value, 3> parts;
  auto addNumbers = [&](int64_t count) {
    if (count > 0)
      parts.push_back(ConstantOp::create(b, loc, splatAttr(withDim(value, axis, count), number)));
  };
  addNumbers(before);
  parts.push_back(value);
  addNumbers(after);
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

Value forge::multiplied(OpBuilder &b, Location loc, Value weight, Value scale) {
  return MultiplyOp::create(b, loc, weight.getType(), weight, scale);
}

Value forge::numberLike(OpBuilder &b, Location loc, ScalarConstantOp like, float number) {
  return ScalarConstantOp::create(b, loc, like.getType(), APFloat(number), like.getDtype());
}

// Whether `a` is before `b` in their block. `isBeforeInBlock` renumbers the whole block after insertions, which would
// make repeated insertions quadratic: the neighbours of `b` are searched first.
static bool isBefore(Operation *a, Operation *b) {
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
  if (isBefore(producer, op))
    return;
  for (Value operand : producer->getOperands())
    makeAvailable(operand, op);
  // Taken out and put in: after moveBefore the block would count all of its ops to say which comes first.
  producer->remove();
  op->getBlock()->getOperations().insert(op->getIterator(), producer);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

// `factor` as a weight that broadcasts to those at `place`: 1 for items that stay.
static Value factorAt(OpBuilder &b, Location loc, const AffineRegion::Place &place, Value factor) {
  if (place.isAll())
    return tensorType(factor).getRank() > 1 ? reshaped(b, loc, factor, {1}) : factor;
  SmallVector<int64_t> shape(1 + place.trailing, 1);
  shape[0] = place.size;
  int64_t count = place.end - place.begin;
  if (count == place.size && !hasOneElement(factor))
    return reshaped(b, loc, factor, shape);
  Value own = reshaped(b, loc, factor, {tensorType(factor).getNumElements()});
  if (hasOneElement(own))
    own = RepeatOp::create(b, loc, own, ArrayRef(count));
  return reshaped(b, loc, padded(b, loc, own, 0, place.begin, place.size - place.end, 1), shape);
}

// a * b of two factors, as one number where they are numbers.
static Value timesFactor(OpBuilder &builder, Location loc, Value a, Value b) {
  auto first = a.getDefiningOp<ScalarConstantOp>(), second = b.getDefiningOp<ScalarConstantOp>();
  if (!first || !second)
    return MultiplyOp::create(builder, loc, a, b);
  return numberLike(builder, loc, first, first.getConstant().convertToFloat() * second.getConstant().convertToFloat());
}

void forge::scaleWeights(RewriterBase &b, ArrayRef<AffineRegion> regions, Value factor) {
  OpBuilder::InsertionGuard guard(b);
  // Each weight once: whoever joins what is done to queries and keys looks for the same tables.
  SmallVector<std::tuple<Value, AffineRegion::Place, Value>> made;
  for (const AffineRegion &region : regions)
    for (auto [use, place] : region.places()) {
      Operation *op = use->getOwner();
      b.setInsertionPoint(op);
      Location loc = withoutTrace(op->getLoc());
      const auto *known = llvm::find_if(made, [&, use = use, place = place](const auto &each) {
        return std::get<0>(each) == use->get() && std::get<1>(each) == place;
      });
      Value scaled = known != made.end() ? std::get<2>(*known) : Value();
      if (!scaled) {
        // A number is made where it is needed.
        auto number = factor.getDefiningOp<ScalarConstantOp>();
        Value own = number ? b.clone(*number)->getResult(0) : factor;
        makeAvailable(own, op);
        scaled = timesFactor(b, loc, use->get(), factorAt(b, loc, place, own));
        made.push_back({use->get(), place, scaled});
      }
      makeAvailable(scaled, op);
      b.modifyOpInPlace(op, [&, use = use] { use->set(scaled); });
    }
}

void forge::dropTraces(RewriterBase &b, const AffineRegion &region) {
  for (Value value : region.changed()) {
    Operation *op = value.getDefiningOp();
    b.modifyOpInPlace(op, [&] { op->setLoc(withoutTrace(op->getLoc())); });
  }
}

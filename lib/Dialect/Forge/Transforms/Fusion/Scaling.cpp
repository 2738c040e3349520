//===- Scaling.cpp - factors and addends in weights -----------------------===//

#include "Fusion/Scaling.h"
#include "forge/Dialect/Forge/IR/Movement/IndexMap.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;

bool forge::hasOneElement(Value value) { return tensorType(value).getNumElements() == 1; }

bool forge::isPerChannel(Value value, int64_t axis, int64_t rank, int64_t channels) {
  int64_t valueRank = tensorType(value).getRank(), valueAxis = axis - (rank - valueRank);
  return valueRank <= rank && valueAxis >= 0 && tensorType(value).getNumElements() == channels &&
         shapeOf(value)[valueAxis] == channels;
}

std::pair<Value, Value> forge::perChannelOperands(Operation *op) {
  RankedTensorType type = tensorType(op->getResult(0));
  // With a single channel the weight may be the scale of a quantiser, which is not merged with other factors.
  if (!isFloat32(op->getResult(0)) || type.getRank() != 4 || type.getDimSize(1) == 1)
    return {};
  for (auto [x, weight] : inEitherOrder(op))
    if (x.getType() == type && isPerChannel(weight, 1, 4, type.getDimSize(1)) && isWeight(weight) && !isWeight(x))
      return {x, weight};
  return {};
}

bool forge::haveSameShape(Value a, Value b) {
  auto core = [](Value value) { return shapeOf(value).drop_while([](int64_t size) { return size == 1; }); };
  return core(a) == core(b);
}

// The largest magnitude of an ordinary factor. Weights and activations are far from 2^108, so that their products with
// it do not overflow in Float32.
static constexpr double kLargestFactor = 1 << 20;

bool forge::isOrdinaryFactor(const APFloat &factor) {
  double magnitude = std::abs(factor.convertToDouble());
  return magnitude >= 1 / kLargestFactor && magnitude <= kLargestFactor;
}

// Calls `visit` for the elements of a constant, maybe after reshapes and transposes, and once for a splat. Returns
// false for other values.
static bool visitElements(Value value, function_ref<void(const APFloat &)> visit) {
  DenseElementsAttr elements;
  if (auto scalar = value.getDefiningOp<ScalarConstantOp>())
    visit(scalar.getConstant());
  else if (!matchPattern(withoutMoves(value), m_Constant(&elements)))
    return false;
  else if (elements.isSplat())
    visit(elements.getSplatValue<APFloat>());
  else
    llvm::for_each(elements.getValues<APFloat>(), visit);
  return true;
}

// Whether `holds` is true for all elements of a constant; none for other values.
static std::optional<bool> holdsForAll(Value value, function_ref<bool(const APFloat &)> holds) {
  bool all = true;
  bool isConstant = visitElements(value, [&](const APFloat &element) { all = all && holds(element); });
  return isConstant ? std::optional(all) : std::nullopt;
}

namespace {
/// Bounds of the magnitudes of elements that are not 0: the smallest and the largest one. `largest` is 0 if all are 0.
struct Magnitudes {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  bool hasZeros = false;     ///< whether some elements are known to be 0
  bool mayHaveZeros = false; ///< whether some elements are 0 or not known

  /// The bounds of a weight. Elements in the model's file and sines are not known. They count as 1, so that the bounds
  /// of a product are those of its known factors. The addends of a sum are assumed not to cancel. There are no bounds
  /// for weights of many ops, nor for quotients by zeros. With `mayDivide`, elements in the model's file are assumed
  /// not to be 0 as divisors, too.
  static Magnitudes of(Value weight, bool mayDivide = false) {
    int opsLeft = 256;
    return of(weight, mayDivide, opsLeft);
  }
  /// Whether all of them are at most `limit`, and so large that the product of two is not 0 in Float32. A trained norm
  /// often has scales of 1e-10, for channels that it has learnt to ignore.
  bool areWithin(double limit) const { return largest <= limit && smallest >= 0x1p-50; }

private:
  static Magnitudes of(Value weight, bool mayDivide, int &opsLeft) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr Magnitudes kUnknown{1, 1, /*hasZeros=*/false, /*mayHaveZeros=*/true};
    weight = withoutMoves(weight);
    Magnitudes found;
    auto include = [&](double element) {
      double magnitude = std::abs(element);
      found.largest = std::isnan(magnitude) ? kInfinity : std::max(found.largest, magnitude);
      if (magnitude > 0)
        found.smallest = std::min(found.smallest, magnitude);
      if (magnitude == 0)
        found.hasZeros = found.mayHaveZeros = true;
    };
    if (auto scalar = weight.getDefiningOp<ScalarConstantOp>()) {
      include(scalar.getConstant().convertToDouble());
      return found;
    }
    DenseElementsAttr elements;
    if (matchPattern(weight, m_Constant(&elements))) {
      forEachNumber(elements, include);
      return found;
    }
    Operation *op = weight.getDefiningOp();
    if (!op || op->getNumOperands() == 0 || isa<SineOp, CosineOp, BitwiseAndOp>(op))
      return kUnknown;
    if (--opsLeft <= 0)
      return {0, kInfinity};
    if (isa<EmbeddingOp>(op)) // Its first operand, and the second one of a gather, are indices.
      return of(op->getOperand(1), mayDivide, opsLeft);
    found = of(op->getOperand(0), mayDivide, opsLeft);
    for (Value operand : op->getOperands().drop_front(isa<AdvIndexOp>(op) ? op->getNumOperands() : 1)) {
      Magnitudes other = of(operand, mayDivide, opsLeft);
      if (isa<DivideOp>(op) && other.mayHaveZeros && !mayDivide)
        return {0, kInfinity};
      found = found.with(other, op);
    }
    found.mayHaveZeros |= isa<ReluOp>(op);
    if (isa<SqrtOp>(op))
      return {std::sqrt(found.smallest), std::sqrt(found.largest), found.hasZeros, found.mayHaveZeros};
    return found;
  }
  /// The bounds of the result of `op` for operands with these and the `other` bounds.
  Magnitudes with(Magnitudes other, Operation *op) const {
    bool eitherHasZeros = hasZeros || other.hasZeros, eitherMayHaveZeros = mayHaveZeros || other.mayHaveZeros;
    if (isa<MultiplyOp, MatmulOp>(op))
      return {smallest * other.smallest, largest * other.largest, eitherHasZeros, eitherMayHaveZeros};
    if (isa<DivideOp>(op)) {
      if (other.hasZeros)
        return {0, std::numeric_limits<double>::infinity()};
      return {smallest / other.largest, largest / other.smallest, hasZeros, mayHaveZeros};
    }
    if (isa<AddOp, SubtractOp>(op)) {
      // A sum of addends that do not cancel is as large as either of them. Where one addend is 0, it is the other one.
      double low = std::max(smallest, other.smallest);
      low = hasZeros ? std::min(low, other.smallest) : low;
      low = other.hasZeros ? std::min(low, smallest) : low;
      double sum = largest + other.largest;
      return {std::min(low, sum), sum, hasZeros && other.hasZeros, mayHaveZeros && other.mayHaveZeros};
    }
    return {std::min(smallest, other.smallest), std::max(largest, other.largest), eitherHasZeros, eitherMayHaveZeros};
  }
};
} // namespace

bool forge::keepsWeightsFinite(Value factor, bool divides, bool takesReciprocals) {
  std::optional<bool> isOrdinary = holdsForAll(factor, isOrdinaryFactor);
  bool isConstant = isOrdinary.has_value();
  if (divides && !isConstant && !takesReciprocals)
    return false;
  // The elements of other constants may be 0. Those that are not known count as ordinary.
  bool mustBeOrdinary = divides || factor.getDefiningOp<ScalarConstantOp>();
  return Magnitudes::of(factor, takesReciprocals).areWithin(kLargestFactor) &&
         (!mustBeOrdinary || isOrdinary.value_or(true));
}

bool forge::isOrdinaryAddend(Value addend) { return Magnitudes::of(addend).largest <= kLargestFactor; }

bool forge::staysFinite(Value weight) {
  constexpr double kLargestWeight = 0x1p64;
  return Magnitudes::of(weight).areWithin(kLargestWeight);
}

bool forge::staysFinite(ArrayRef<AffineRegion> regions) {
  return llvm::all_of(regions, [](const AffineRegion &region) {
    return llvm::all_of(region.changedWeights(), [](const auto &weight) { return staysFinite(weight.first->get()); });
  });
}

bool forge::isPositive(Value factor) {
  return holdsForAll(factor, [](const APFloat &element) { return element.convertToDouble() > 0; }).value_or(false);
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

std::pair<Value, SmallVector<Operation *>> forge::withoutFunctions(Value value) {
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
  // Not by moveBefore(), after which the next isBeforeInBlock() orders the whole block again.
  producer->remove();
  op->getBlock()->getOperations().insert(op->getIterator(), producer);
}

AxisIndices forge::indicesOf(Value value, std::optional<int64_t> axis) {
  return axis ? AxisIndices::of(value, *axis) : AxisIndices::all(value);
}

// The factor of the whole `weight` that scales its `changed` elements, a range along an axis, by `factor`, which has
// one element or one per index of the range. It has ones for the other indices of the axis, and a shape that broadcasts
// to the weight: [1, s, s, 1] as [4, 1] for the scalar s, indices 1 and 2, and a weight [4, 8].
static Value factorAt(OpBuilder &b, Location loc, Value weight, const AffineRegion::ChangedElements &changed,
                      Value factor) {
  if (changed.isAll()) { // `factor` has one element. More axes than the weight has would be added to it.
    int64_t rank = std::min<int64_t>(tensorType(weight).getRank(), 1);
    return tensorType(factor).getRank() > rank ? reshaped(b, loc, factor, SmallVector<int64_t>(rank, 1)) : factor;
  }
  SmallVector<int64_t> shape(1 + changed.trailing, 1);
  shape[0] = changed.size;
  int64_t count = changed.end - changed.begin;
  if (count == changed.size && !hasOneElement(factor))
    return reshaped(b, loc, factor, shape);
  Value row = reshaped(b, loc, factor, {tensorType(factor).getNumElements()});
  if (hasOneElement(row))
    row = RepeatOp::create(b, loc, row, ArrayRef(count));
  return reshaped(b, loc, padded(b, loc, row, /*axis=*/0, changed.begin, changed.size - changed.end, /*fill=*/1),
                  shape);
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
  for (const AffineRegion &region : regions)
    for (auto [use, changed] : region.changedWeights()) {
      Operation *op = use->getOwner();
      b.setInsertionPoint(op);
      Location loc = withoutTrace(op->getLoc());
      const auto *known = llvm::find_if(made, [&, use = use, changed = changed](const ScaledWeight &each) {
        return each.weight == use->get() && each.changed == changed;
      });
      Value scaled = known != made.end() ? known->scaled : Value();
      if (!scaled) {
        // A scalar constant is copied. A weight is moved instead, because the file would have a copy twice.
        auto scalar = factor.getDefiningOp<ScalarConstantOp>();
        Value available = scalar ? b.clone(*scalar)->getResult(0) : factor;
        makeAvailable(available, op);
        scaled = timesFactor(b, loc, use->get(), factorAt(b, loc, use->get(), changed, available));
        made.push_back({use->get(), changed, scaled});
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

bool forge::foldFactorIntoUsers(RewriterBase &b, Value value, std::optional<int64_t> axis, Value factor) {
  AffineRegion region(/*perIndex=*/axis.has_value());
  if (!region.collectReaders(value, indicesOf(value, axis)) || region.changedWeights().empty() || !staysFinite(region))
    return false;
  scaleWeights(b, region, factor);
  dropTraces(b, region);
  return true;
}

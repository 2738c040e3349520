//===- RealFacts.cpp - facts about the elements of float values -----------===//

#include "forge/Dialect/Forge/Analysis/RealFacts.h"

#include "forge/Dialect/Forge/IR/Constants/Constants.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// Float32 represents all integers up to this magnitude, and all of its numbers from half of it on are integers.
static constexpr double kExact = 1 << 24;

static Type elementOf(Value value) { return tensorType(value).getElementType(); }

static RealFact factOf(IntegerType type) { return {Interval::ofType(type), true, true, true}; }

RealFacts::RealFacts(Operation *function) {
  for (Operation &op : function->getRegion(0).front())
    visit(&op);
}

RealFact RealFacts::of(Value value) const {
  if (auto found = facts.find(value); found != facts.end())
    return found->second;
  auto integer = dyn_cast<IntegerType>(elementOf(value));
  return integer ? factOf(integer) : RealFact();
}

static RealFact ofConstant(DenseElementsAttr value) {
  RealFact fact{Interval::ofConstant(value), true, true, true};
  if (!isa<FloatType>(value.getElementType()))
    return fact;
  forEachNumber(value, [&](double element) {
    fact.isNumber &= !std::isnan(element);
    fact.isFinite &= std::isfinite(element);
    fact.isInteger &= std::isfinite(element) && element == std::trunc(element);
  });
  return fact;
}

// Whether the elements of the result are elements of the operands, but not of a condition.
static bool isSelection(Operation *op) {
  return isa<ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, StridedSliceOp, ConcatenateOp, StackOp, RepeatOp,
             RepeatInterleaveOp, IdentityOp, BroadcastOp, ReluOp, MaxOp, MinOp, ReduceMaxOp, WhereOp>(op);
}

// Whether the result of `op` is finite for finite operands, if it does not overflow.
static bool isArithmetic(Operation *op) {
  return isa<AddOp, SubtractOp, MultiplyOp, DivideOp, AbsOp, CastOp, MatmulOp, Conv2dOp, Conv2dTransposeOp, AvgPool2dOp,
             MaxPool2dOp, ReduceAvgOp, ReduceSumOp, SigmoidOp, TanhOp>(op);
}

// The interval of a sum or difference in Float32. Rounding to nearest is monotonic, so that it is applied to the
// bounds.
static Interval roundedToNearest(Operation *op, ArrayRef<RealFact> operands, Interval otherwise) {
  if (!isa<AddOp, SubtractOp>(op) || !elementOf(op->getResult(0)).isF32())
    return otherwise;
  Interval a = operands[0].range, b = operands[1].range, exact = isa<AddOp>(op) ? a + b : a - b;
  return {static_cast<float>(exact.low), static_cast<float>(exact.high)};
}

// Whether the elements of a finite result in `range` are integers: because Float32 has no fractions of that magnitude,
// or because they are computed from integers, and Float32 represents all integers of `range`. (A type with fewer digits
// rounds them to other integers.)
static bool staysWhole(Operation *op, ArrayRef<RealFact> operands, Interval range) {
  if (elementOf(op->getResult(0)).isF32() && (range.low >= kExact / 2 || range.high <= -kExact / 2))
    return true;
  return isa<AddOp, SubtractOp, MultiplyOp, AbsOp, CastOp>(op) &&
         llvm::all_of(operands, [](const RealFact &fact) { return fact.isInteger; }) &&
         Interval{-kExact, kExact}.contains(range);
}

// The finite numbers of a type.
static Interval numbersOf(Type element) {
  double most = APFloat::getLargest(cast<FloatType>(element).getFloatSemantics()).convertToDouble();
  return {-most, most};
}

// An interval in which sums and products of a few numbers do not overflow.
static Interval limitsOf(Type element) {
  double most = element.isF16() ? 0x1p15 : 0x1p120;
  return {-most, most};
}

// The operand y of where(x == x, x, y) and where(x != x, y, x); null for other ops.
static Value replacementOfNaN(Operation *op) {
  auto where = dyn_cast<WhereOp>(op);
  bool isNaN = false;
  Value tested = where ? nanTestOperand(where.getCondition(), isNaN) : Value();
  if (!tested)
    return {};
  auto [kept, replacement] = isNaN ? std::pair(where.getY(), where.getX()) : std::pair(where.getX(), where.getY());
  return kept == tested ? replacement : Value();
}

void RealFacts::visit(Operation *op) {
  if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
    return;
  Value result = op->getResult(0);
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()); dense && HostTensor::holds(dense))
      facts[result] = ofConstant(dense);
    return;
  }
  auto inferred = dyn_cast<IntervalOpInterface>(op);
  if (!inferred || op->getNumOperands() == 0 || !isa<FloatType>(elementOf(result)))
    return;
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value value) { return of(value); });
  RealFact fact;
  fact.range = inferred.inferRange(llvm::map_to_vector(operands, [](const RealFact &known) { return known.range; }));
  auto all = [&](bool RealFact::*holds) {
    return llvm::all_of(llvm::drop_begin(operands, isa<WhereOp>(op)),
                        [&](const RealFact &known) { return known.*holds; });
  };
  if (isSelection(op)) {
    for (auto holds : {&RealFact::isNumber, &RealFact::isFinite, &RealFact::isInteger})
      fact.*holds = all(holds);
    if (Value replacement = replacementOfNaN(op))
      fact.isNumber = of(replacement).isNumber;
  } else if (isa<ClipOp>(op)) {
    fact.isNumber = fact.isFinite = operands[0].isNumber && numbersOf(elementOf(result)).contains(fact.range);
  } else if (isArithmetic(op) && all(&RealFact::isFinite)) {
    fact.range = roundedToNearest(op, operands, fact.range);
    fact.isNumber = fact.isFinite = limitsOf(elementOf(result)).contains(fact.range);
    fact.isInteger = fact.isFinite && staysWhole(op, operands, fact.range);
  }
  facts[result] = fact;
}

Value forge::nanTestOperand(Value condition, bool &isNaN) {
  while (auto cast = condition.getDefiningOp<CastOp>())
    condition = cast.getOperandA();
  Operation *test = condition.getDefiningOp();
  isNaN = isa_and_nonnull<NotEqualOp>(test);
  return isa_and_nonnull<EqualOp, NotEqualOp>(test) && test->getOperand(0) == test->getOperand(1) ? test->getOperand(0)
                                                                                                  : Value();
}

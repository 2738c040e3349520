//===- SimplifyArithmetic.cpp - arithmetic that changes nothing -----------===//
//
// One walk in the order of the program, so that each op sees operands that are simple already. Values stay what they
// were to the last bit, but for what --fast-math allows.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/FastMath.h"
#include "DeadOps.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/RealFacts.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace forge;

namespace forge {
#define GEN_PASS_DEF_FORGESIMPLIFYARITHMETICPASS
#include "forge/Dialect/Forge/Transforms/Passes.h.inc"
} // namespace forge

// Whole numbers up to here are exact in Float32.
static constexpr Interval kExact{-(1 << 24), 1 << 24};

static Type elementOf(Value value) { return tensorType(value).getElementType(); }

// The number that every element of a constant is.
static std::optional<double> splatOf(Value value) {
  DenseElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || !attr.isSplat() || !isa<FloatType, IntegerType>(attr.getElementType()))
    return std::nullopt;
  Interval range = Interval::ofConstant(attr);
  auto real = dyn_cast<FloatType>(attr.getElementType());
  if (real && !attr.getSplatValue<APFloat>().isFinite())
    return std::nullopt;
  return range.low;
}

// The infinity that every element of a constant is.
static bool isInfinity(Value value) {
  DenseElementsAttr attr;
  return matchPattern(value, m_Constant(&attr)) && attr.isSplat() && isa<FloatType>(attr.getElementType()) &&
         attr.getSplatValue<APFloat>().isInfinity();
}

// 1 / number, where it takes no ordinary quotient to infinity or zero that was none.
static std::optional<double> reciprocalOf(double number) {
  constexpr double kLimit = 1 << 20;
  bool isModest = std::abs(number) >= 1 / kLimit && std::abs(number) <= kLimit;
  return isModest ? std::optional(1 / number) : std::nullopt;
}

static bool isPowerOfTwo(double number) {
  int exponent;
  return std::abs(std::frexp(number, &exponent)) == 0.5;
}

namespace {
/// Finds what stands for an op. What it builds stands in front of the op.
class Simplifier {
public:
  Simplifier(const RealFacts &facts, FastMath fastMath, Operation *op)
      : facts(facts), fastMath(fastMath), op(op), builder(op) {}

  /// The value in the place of the op, and in `what` how that is counted; null where the op stays.
  Value simplified(StringRef &what);

private:
  Value unguarded();
  Value withinBounds();
  Value lessNothing();
  Value asReal();
  Value fromShifted(Value shifted, Value less);
  Value wholeBehind(Value value) const;
  std::optional<bool> testResult();
  std::optional<bool> comparisonResult() const;
  std::optional<double> knownResult();
  Value chosen();
  Value product();
  Value timesOne() const;
  Value onlyElement();
  Value constant(RankedTensorType type, double number);

  const RealFacts &facts;
  FastMath fastMath;
  Operation *op;
  OpBuilder builder;
  bool assumed = false; ///< whether it is so because a kind of fast-math says so
};
} // namespace

Value Simplifier::constant(RankedTensorType type, double number) {
  return ConstantOp::create(builder, withoutTrace(op->getLoc()), splatAttr(type, number));
}

// x == x and x == infinity, and their opposites, of which facts or the user say how they end.
std::optional<bool> Simplifier::testResult() {
  if (!isa<EqualOp, NotEqualOp>(op))
    return std::nullopt;
  Value x = op->getOperand(0);
  if (x == op->getOperand(1))
    return facts.of(x).isNumber ? std::optional(isa<EqualOp>(op)) : std::nullopt;
  if (isInfinity(x))
    x = op->getOperand(1);
  else if (!isInfinity(op->getOperand(1)))
    return std::nullopt;
  bool isFinite = facts.of(x).isFinite && !isInfinity(x);
  assumed = !isFinite && fastMath.noInfs && !isInfinity(x);
  return isFinite || assumed ? std::optional(isa<NotEqualOp>(op)) : std::nullopt;
}

// |x| < c, where no number of x is so small.
std::optional<bool> Simplifier::comparisonResult() const {
  auto less = dyn_cast<LessOp>(op);
  if (!less || !less.getOperandA().getDefiningOp<AbsOp>())
    return std::nullopt;
  std::optional<double> bound = splatOf(less.getOperandB());
  return bound && facts.of(less.getOperandA()).range.low >= *bound ? std::optional(false) : std::nullopt;
}

// What every element of the result is where the operands are known: booleans, as numbers too, and how logic is spelled.
std::optional<double> Simplifier::knownResult() {
  for (std::optional<bool> result : {testResult(), comparisonResult()})
    if (result)
      return *result;
  auto truth = [](Value value) {
    std::optional<double> number = splatOf(value);
    return number == 0.0 || number == 1.0 ? number : std::nullopt;
  };
  bool isWhole = op->getNumOperands() > 0 && isa<IntegerType>(elementOf(op->getResult(0)));
  if (op->getNumOperands() == 1 && isWhole &&
      isa<CastOp, ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, RepeatOp, BroadcastOp, ReduceMaxOp>(op))
    return truth(op->getOperand(0));
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<double> a = truth(op->getOperand(0)), b = truth(op->getOperand(1));
  if (isa<EqualOp, NotEqualOp>(op) && a && b)
    return (*a == *b) == isa<EqualOp>(op);
  if (isa<MultiplyOp>(op) && isWhole) { // Of floats, zero times infinity is NaN.
    if (a == 0.0 || b == 0.0)
      return 0;
    return a && b ? a : std::nullopt;
  }
  return isa<MaxOp>(op) && isWhole && a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

// where(c, x, y) of a known c.
Value Simplifier::chosen() {
  auto where = cast<WhereOp>(op);
  std::optional<double> condition = splatOf(where.getCondition());
  Value value = condition ? where->getOperand(*condition != 0 ? 1 : 2) : Value();
  return value && value.getType() == where.getType() ? value : unguarded();
}

// where(x == x, x, y) and where(x != x, y, x), in which x is never NaN.
Value Simplifier::unguarded() {
  auto where = cast<WhereOp>(op);
  bool isNaN = false;
  Value tested = nanTestOperand(where.getCondition(), isNaN);
  bool isGuard = tested && tested == where->getOperand(isNaN ? 2 : 1) && tested.getType() == where.getType();
  return isGuard && facts.of(tested).isNumber ? tested : Value();
}

// x / c as x * (1 / c): the same to the last bit where c is a power of two, else only with --fast-math.
Value Simplifier::product() {
  auto divide = cast<DivideOp>(op);
  Value x = divide.getOperandA(), divisor = divide.getOperandB();
  if (!isa<FloatType>(elementOf(x)) || isWeight(x) || x.getType() != divide.getType())
    return {};
  std::optional<double> number = splatOf(divisor);
  bool isFree = elementOf(x).isF32() && fastMath.reciprocal;
  Value inverse;
  if (number) {
    std::optional<double> reciprocal = reciprocalOf(*number);
    assumed = !isPowerOfTwo(*number);
    if (!reciprocal || (assumed && !isFree))
      return {};
    inverse = constant(tensorType(divisor), *reciprocal);
  } else if (isFree && mayBeStoredOtherwise(divisor)) {
    Value one = constant(RankedTensorType::get({}, elementOf(x)), 1);
    assumed = true;
    inverse = DivideOp::create(builder, withoutTrace(op->getLoc()), divisor.getType(), one, divisor);
  }
  if (!inverse)
    return {};
  return MultiplyOp::create(builder, withoutTrace(op->getLoc()), divide.getType(), x, inverse);
}

// x * 1 and 1 * x. Ones per channel stay: they may be the scale by which a norm is recognised.
Value Simplifier::timesOne() const {
  for (auto [x, factor] :
       {std::pair(op->getOperand(0), op->getOperand(1)), std::pair(op->getOperand(1), op->getOperand(0))})
    if (tensorType(factor).getNumElements() == 1 && splatOf(factor) == 1.0 && x.getType() == op->getResult(0).getType())
      return x;
  return {};
}

// A clip or relu of numbers that lie within its bounds already.
Value Simplifier::withinBounds() {
  Interval bounds{0, Interval().high};
  if (auto clip = dyn_cast<ClipOp>(op))
    bounds = {clip.getMin().convertToDouble(), clip.getMax().convertToDouble()};
  Value x = op->getOperand(0);
  return facts.of(x).liesIn(bounds) ? x : Value();
}

// (x - a) - b of whole numbers a, b and differences is x - (a + b).
Value Simplifier::fromShifted(Value shifted, Value less) {
  auto inner = shifted.getDefiningOp<SubtractOp>();
  std::optional<double> first = inner ? splatOf(inner.getOperandB()) : std::nullopt, second = splatOf(less);
  if (!first || !second || !elementOf(shifted).isF32() || inner.getOperandA().getType() != shifted.getType())
    return {};
  RealFact whole = facts.of(inner.getOperandA());
  Interval sum = Interval::number(*first + *second);
  for (Value part : {Value(inner.getOperandA()), Value(inner.getOperandB()), shifted, less})
    if (!facts.of(part).isWhole || !facts.of(part).liesIn(kExact))
      return {};
  if (!kExact.contains(sum) || !kExact.contains(whole.range - sum))
    return {};
  Location loc = withoutTrace(op->getLoc());
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  Value both = ConstantOp::create(builder, loc, splatAttr(scalar, sum.low));
  return SubtractOp::create(builder, loc, shifted.getType(), inner.getOperandA(), both);
}

// x - 0, and differences of differences.
Value Simplifier::lessNothing() {
  Value x = op->getOperand(0), less = op->getOperand(1);
  if (splatOf(less) == 0.0 && x.getType() == op->getResult(0).getType())
    return x;
  return x.getType() == op->getResult(0).getType() ? fromShifted(x, less) : Value();
}

// The floats that `value`, integers, was cast from without a change.
Value Simplifier::wholeBehind(Value value) const {
  while (auto cast = value.getDefiningOp<CastOp>()) {
    Value source = cast.getOperandA();
    Interval held = Interval::ofType(elementOf(value));
    if (elementOf(value).isInteger(1) || !facts.of(source).liesIn(held))
      return {};
    if (elementOf(source).isF32())
      return facts.of(source).isWhole ? source : Value();
    value = source;
  }
  return {};
}

// A cast to Float32 of integers that were whole floats, and may have got a difference since.
Value Simplifier::asReal() {
  Value x = op->getOperand(0);
  if (!elementOf(op->getResult(0)).isF32() || !isa<IntegerType>(elementOf(x)))
    return {};
  if (Value whole = wholeBehind(x))
    return whole;
  auto difference = x.getDefiningOp<SubtractOp>();
  Value whole = difference ? wholeBehind(difference.getOperandA()) : Value();
  std::optional<double> less = difference ? splatOf(difference.getOperandB()) : std::nullopt;
  if (!whole || !less || whole.getType() != op->getResult(0).getType())
    return {};
  Interval number = Interval::number(*less);
  if (!kExact.contains(facts.of(whole).range) || !kExact.contains(number) ||
      !kExact.contains(facts.of(whole).range - number))
    return {};
  Location loc = withoutTrace(op->getLoc());
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  Value real = ConstantOp::create(builder, loc, splatAttr(scalar, *less));
  return SubtractOp::create(builder, loc, whole.getType(), whole, real);
}

// The sum, mean or maximum of an axis of one element, which the device's compiler refuses for some.
Value Simplifier::onlyElement() {
  Value x = op->getOperand(0);
  RankedTensorType type = tensorType(op->getResult(0));
  if (tensorType(x).getNumElements() != type.getNumElements() || type.getNumElements() == 0)
    return {};
  if (x.getType() == type)
    return x;
  return ReshapeOp::create(builder, withoutTrace(op->getLoc()), type, x, type.getShape());
}

Value Simplifier::simplified(StringRef &what) {
  if (std::optional<double> known = knownResult()) {
    what = assumed ? "tests-assumed" : "tests-decided";
    return constant(tensorType(op->getResult(0)), *known);
  }
  if (isa<WhereOp>(op)) {
    what = "guards-dropped";
    return chosen();
  }
  if (isa<DivideOp>(op)) {
    Value found = product();
    what = assumed ? "reciprocals-taken" : "quotients-as-products";
    return found;
  }
  if (isa<MultiplyOp>(op)) {
    what = "products-with-one";
    return timesOne();
  }
  if (isa<ReduceSumOp, ReduceAvgOp, ReduceMaxOp>(op)) {
    what = "reductions-of-one";
    return onlyElement();
  }
  if (isa<ClipOp, ReluOp>(op)) {
    what = "bounds-dropped";
    return withinBounds();
  }
  what = "differences-cancelled";
  if (isa<SubtractOp>(op))
    return lessNothing();
  return isa<CastOp>(op) ? asReal() : Value();
}

namespace {
struct ForgeSimplifyArithmeticPass : forge::impl::ForgeSimplifyArithmeticPassBase<ForgeSimplifyArithmeticPass>,
                                     ReportingPass {
  using ForgeSimplifyArithmeticPassBase::ForgeSimplifyArithmeticPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (!deviceBlock(func))
      return;
    FailureOr<FastMath> parsed = FastMath::parse(func.getLoc(), fastMath);
    if (failed(parsed))
      return signalPassFailure();
    permissions = NumericPermissions(/*exact=*/false, fastMath);
    allowed = *parsed;
    {
      RealFacts facts;
      ReplacedOps replaced;
      for (Operation &op : func.front())
        replace(&op, facts, replaced);
    }
    eraseDeadOps(func.front());
  }

private:
  FastMath allowed;

  // What is built for an op may itself be simple.
  void replace(Operation *op, RealFacts &facts, ReplacedOps &replaced) {
    if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
      return;
    facts.visit(op);
    // What is behind a guard relies on it.
    if (permits("numbers-assumed") && isa<EqualOp, NotEqualOp>(op) && op->getOperand(0) == op->getOperand(1))
      facts.assumeNumber(op->getOperand(0));
    StringRef what;
    Value value = Simplifier(facts, allowed, op).simplified(what);
    if (!value)
      return;
    Operation *built = value.getDefiningOp();
    bool isNew = built && built->getNextNode() == op && built->use_empty();
    if (isNew) {
      for (Value operand : built->getOperands())
        if (Operation *producer = operand.getDefiningOp(); producer && producer->getNextNode() == built)
          facts.visit(producer);
    }
    if (!mayRewrite(op, what)) // What was built is dead.
      return;
    takeTrace(value, op->getResult(0));
    replaced.replace(op, value);
    if (isNew)
      replace(built, facts, replaced);
  }
};
} // namespace

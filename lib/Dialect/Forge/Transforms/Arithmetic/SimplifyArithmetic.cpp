//===- SimplifyArithmetic.cpp - arithmetic that changes nothing -----------===//
//
// One walk in the order of the program, so that each op sees operands that are simple already. Values stay what they
// were to the last bit.
//
//===----------------------------------------------------------------------===//

#include "DeadOps.h"
#include "forge/Dialect/Forge/Analysis/RealFacts.h"
#include "forge/Dialect/Forge/IR/Constants.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Partitions.h"
#include "forge/Dialect/Forge/IR/PassReport.h"
#include "forge/Dialect/Forge/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"

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

namespace {
/// Finds what stands for an op. What it builds stands in front of the op.
class Simplifier {
public:
  Simplifier(const RealFacts &facts, Operation *op) : facts(facts), op(op), builder(op) {}

  /// The value in the place of the op, and in `what` how that is counted; null where the op stays.
  Value simplified(StringRef &what);

private:
  Value unguarded();
  Value withinBounds();
  Value lessNothing();
  Value asReal();
  Value fromShifted(Value shifted, Value less);
  Value wholeBehind(Value value) const;

  const RealFacts &facts;
  Operation *op;
  OpBuilder builder;
};
} // namespace

// where(x == x, x, y) and where(x != x, y, x), in which x is never NaN.
Value Simplifier::unguarded() {
  auto where = cast<WhereOp>(op);
  bool isNaN = false;
  Value tested = nanTestOperand(where.getCondition(), isNaN);
  bool isGuard = tested && tested == where->getOperand(isNaN ? 2 : 1) && tested.getType() == where.getType();
  return isGuard && facts.of(tested).isNumber ? tested : Value();
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

Value Simplifier::simplified(StringRef &what) {
  if (isa<WhereOp>(op)) {
    what = "guards-dropped";
    return unguarded();
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
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (isHostFunction(func) || func.isExternal() || !llvm::hasSingleElement(func.getBody()))
      return;
    {
      RealFacts facts;
      ReplacedOps replaced;
      for (Operation &op : func.front())
        replace(&op, facts, replaced);
    }
    eraseDeadOps(func.front());
  }

private:
  // What is built for an op may itself be simple.
  void replace(Operation *op, RealFacts &facts, ReplacedOps &replaced) {
    if (op->getNumResults() != 1)
      return;
    facts.visit(op);
    StringRef what;
    Value value = Simplifier(facts, op).simplified(what);
    if (!value)
      return;
    Operation *built = value.getDefiningOp();
    bool isNew = built && built->getNextNode() == op && built->use_empty();
    if (isNew) {
      for (Value operand : built->getOperands())
        if (Operation *producer = operand.getDefiningOp(); producer && producer->getNextNode() == built)
          facts.visit(producer);
    }
    did(RemarkPlace::of(op), what);
    takeTrace(value, op->getResult(0));
    replaced.replace(op, value);
    if (isNew)
      replace(built, facts, replaced);
  }
};
} // namespace

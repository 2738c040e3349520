//===- SimplifyArithmetic.cpp - removes arithmetic without effect ---------===//
//
// One walk in program order, so that the operands of each op are simplified before it. Results are equal to the last
// bit, except for rewrites that --fast-math allows. SimplifyArithmetic.td has the rewrites.
//
//===----------------------------------------------------------------------===//

#define GEN_PASS_DEF_FORGESIMPLIFYARITHMETICPASS
#include "Arithmetic/FastMath.h"
#include "Casts.h"
#include "PassCommon.h"
#include "forge/Dialect/Forge/Analysis/ComputedWeights.h"
#include "forge/Dialect/Forge/Analysis/RealFacts.h"
#include "forge/Dialect/Forge/Analysis/ZeroSigns.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Rewriting/RewriteLimit.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Rewrite/PatternApplicator.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// The range in which Float32 represents all integers.
static constexpr Interval kExact{-(1 << 24), 1 << 24};

static Type elementOf(Value value) { return tensorType(value).getElementType(); }

// The element of a splat constant, which may be infinite or NaN. None for other values, if there are no elements, and
// for element types that HostTensor does not read.
static std::optional<double> anySplatOf(Value value) {
  DenseElementsAttr attr;
  if (!matchPattern(value, m_Constant(&attr)) || attr.empty() || !attr.isSplat() || !HostTensor::holds(attr))
    return std::nullopt;
  double element = 0;
  forEachNumber(attr, [&](double each) { element = each; });
  return element;
}

// The element of a splat constant, if it is finite; else none.
static std::optional<double> splatOf(Value value) {
  std::optional<double> element = anySplatOf(value);
  return element && std::isfinite(*element) ? element : std::nullopt;
}

static bool isInfinity(Value value) { return std::isinf(anySplatOf(value).value_or(0)); }

// 1 / c of a splat c; none if `c` is no splat, or if c or 1 / c could be denormal or infinite: the smallest normal
// number of float16 is 2^-14, and 2^16 is infinite. Other formats have a larger range than the limit here.
static std::optional<double> reciprocalOf(Value c) {
  double limit = elementOf(c).isF16() ? 0x1p14 : 0x1p20, element = splatOf(c).value_or(0);
  bool isOrdinary = std::abs(element) >= 1 / limit && std::abs(element) <= limit;
  return isOrdinary ? std::optional(1 / element) : std::nullopt;
}

static bool isPowerOfTwo(double number) { return APFloat(number).getExactLog2Abs() != INT_MIN; }

//===----------------------------------------------------------------------===//
// Constraints and replacements of the patterns
//===----------------------------------------------------------------------===//

namespace {
/// Replaces ops in program order, and knows the facts of all values before them, and which values show the sign of a
/// zero. A new op gets its facts when it is created, and a trace only if it replaces the op that had it.
class FactRewriter : public PatternRewriter, public RewriterBase::Listener {
public:
  explicit FactRewriter(func::FuncOp func) : PatternRewriter(func.getContext()), signs(func) { setListener(this); }

  using PatternRewriter::replaceOp;
  void replaceOp(Operation *op, ValueRange values) override {
    signs.willReplace(op, values);
    takeTrace(values.front(), op->getResult(0));
    replaced.replace(op, values.front());
  }
  void notifyOperationInserted(Operation *op, InsertPoint) override {
    op->setLoc(withoutTrace(root->getLoc()));
    facts.visit(op);
    inserted.push_back(op);
  }

  RealFacts facts;
  ZeroSigns signs;
  Operation *root = nullptr;         ///< the op that patterns are tried on
  SmallVector<Operation *> inserted; ///< the ops that were created since this was cleared

private:
  ReplacedOps replaced;
};
} // namespace

static const RealFacts &factsOf(PatternRewriter &rewriter) { return static_cast<FactRewriter &>(rewriter).facts; }

// Whether the sign of a zero of `value` may change later results (ZeroSigns), as 1 / value does.
static bool showsZeroSign(Value value, PatternRewriter &rewriter) {
  return static_cast<FactRewriter &>(rewriter).signs.matter(value);
}

// A constant of the type of `like`, all of whose elements are `element`.
static Value splatLike(OpBuilder &b, Location loc, Value like, double element) {
  return ConstantOp::create(b, loc, splatAttr(tensorType(like), element));
}

// Whether one of `a` and `b` is a splat of an infinity and the other one is finite, so that they are not equal. With
// `facts` the latter has to be proven. If they are null, as --fast-math=no-infs allows, it is assumed.
static bool areInfinityAndFinite(Value a, Value b, const RealFacts *facts) {
  if (isInfinity(b))
    std::swap(a, b);
  return isInfinity(a) && !isInfinity(b) && (!facts || facts->of(b).isFinite);
}

// Whether no element of `value` is less than the splat `bound`; elements that are NaN are not.
static bool isAtLeast(Value value, Value bound, const RealFacts &facts) {
  std::optional<double> element = splatOf(bound);
  return element && facts.of(value).range.low >= *element;
}

// Whether `condition` is value != value, which tests that `value` is NaN; or, without `isNaN`, value == value.
static bool isNaNTest(Value condition, Value value, bool isNaN) {
  bool testsNaN = false; // Set by nanTestOperand(), which returns null for other conditions.
  return nanTestOperand(condition, testsNaN) == value && testsNaN == isNaN;
}

// Whether `op` is a constant 1 with one element.
static bool isSingleOne(Operation *op) {
  Value result = op->getResult(0);
  return tensorType(result).getNumElements() == 1 && splatOf(result) == 1.0;
}

// Whether (x - a) - b is x - (a + b) except for the sign of a zero, where `difference` is x - a, and `a` and `b` are
// splats: x, a, b, x - a, a + b and x - (a + b) are integers that Float32 represents, so that nothing is rounded.
static bool areExactDifferences(Value difference, Value a, Value b, const RealFacts &facts) {
  Value x = difference.getDefiningOp()->getOperand(0);
  std::optional<double> splatA = splatOf(a), splatB = splatOf(b);
  if (!splatA || !splatB)
    return false;
  Interval sum = Interval::number(*splatA + *splatB);
  bool areIntegers = llvm::all_of(ArrayRef<Value>{x, a, difference, b}, [&](Value each) {
    return facts.of(each).isInteger && facts.of(each).liesIn(kExact);
  });
  return areIntegers && kExact.contains(sum) && kExact.contains(facts.of(x).range - sum);
}

// The float32 value x of which the integers `value` are an exact cast, maybe through other integer types, such as x for
// cast(cast(x, i64), i32); null if there is none. Each type has to hold all of the integers, so that no cast truncates
// or wraps them. A cast to i1 would make 1 of all numbers but 0.
static Value exactFloatsOf(Value value, const RealFacts &facts) {
  while (auto cast = value.getDefiningOp<CastOp>()) {
    Value source = cast.getOperandA();
    auto integer = dyn_cast<IntegerType>(elementOf(value));
    Interval held = Interval::ofType(elementOf(value));
    if (integer && integer.isUnsigned())
      held.low = 0; // Interval::ofType() returns the interval of int32 for uint32.
    if (!integer || integer.getWidth() == 1 || !facts.of(source).liesIn(held))
      return {};
    if (elementOf(source).isF32())
      return facts.of(source).isInteger ? source : Value();
    value = source;
  }
  return {};
}

// For integers `value` that are an exact cast of floats x (exactFloatsOf is not null): whether x - `subtrahend`, in
// Float32, is `result`, the cast of `value` - `subtrahend` to Float32, to the last bit. `subtrahend` is a splat, but
// not of 0: x could be -0, which minus 0 is -0, but integers have no -0.
static bool subtractsExactly(Value value, Value subtrahend, Value result, const RealFacts &facts) {
  Value floats = exactFloatsOf(value, facts);
  std::optional<double> element = splatOf(subtrahend);
  if (!element || *element == 0 || floats.getType() != result.getType())
    return false;
  Interval range = facts.of(floats).range, subtracted = Interval::number(*element);
  Interval difference = range - subtracted, held = Interval::ofType(tensorType(value).getElementType());
  // Differences that the type of the integers does not hold would wrap.
  return kExact.contains(range) && kExact.contains(subtracted) && kExact.contains(difference) &&
         held.contains(difference);
}

// Whether `a` and `b` have the same number of elements, at least one.
static bool haveSameSize(Value a, Value b) {
  int64_t count = tensorType(a).getNumElements();
  return count != 0 && count == tensorType(b).getNumElements();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

// 0 or 1 if `value` is a splat of that, of any element type; else none.
static std::optional<double> truthOf(Value value) {
  std::optional<double> element = splatOf(value);
  return element == 0.0 || element == 1.0 ? element : std::nullopt;
}

// 0 or 1 if operands that are splats of 0 or 1 decide that the result of `op` is a splat of that; else none. Converters
// express logic by comparisons, and by products (and) and maxima (or) of integers.
static std::optional<double> truthOfResult(Operation *op) {
  bool isOfIntegers = op->getNumOperands() > 0 && isa<IntegerType>(elementOf(op->getResult(0)));
  // Ops that keep 0 and 1 as elements.
  if (op->getNumOperands() == 1 && isOfIntegers &&
      isa<CastOp, ReshapeOp, SqueezeOp, UnsqueezeOp, TransposeOp, IndexOp, RepeatOp, BroadcastOp, ReduceMaxOp>(op))
    return truthOf(op->getOperand(0));
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<double> a = truthOf(op->getOperand(0)), b = truthOf(op->getOperand(1));
  // One zero decides a product of integers, but not one of floats: 0 * infinity is NaN.
  if (isa<MultiplyOp>(op) && isOfIntegers && (a == 0.0 || b == 0.0))
    return 0;
  if (!a || !b)
    return std::nullopt;
  if (isa<EqualOp>(op))
    return *a == *b;
  if (isa<NotEqualOp>(op))
    return *a != *b;
  if (isa<MultiplyOp>(op) && isOfIntegers)
    return 1; // Neither is 0.
  return isa<MaxOp>(op) && isOfIntegers ? std::optional(std::max(*a, *b)) : std::nullopt;
}

namespace {
/// Folds an op whose result is known from operands that are 0 or 1 (truthOfResult). It is tried before the patterns of
/// the .td file, whose benefits are smaller.
struct KnownTruth : RewritePattern {
  explicit KnownTruth(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/4, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    std::optional<double> truth = truthOfResult(op);
    if (!truth)
      return failure();
    rewriter.replaceOp(op, splatLike(rewriter, op->getLoc(), op->getResult(0), *truth));
    return success();
  }
};

#include "SimplifyArithmetic.cpp.inc"
} // namespace

static void populatePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.addWithLabel<KnownTruth, EqualOfItself, NotEqualOfItself, EqualOfInfinity, NotEqualOfInfinity, NoneIsLess>(
      {"tests-decided"}, context);
  patterns.addWithLabel<EqualOfInfinityAssumed, NotEqualOfInfinityAssumed>({"tests-assumed"}, context);
  patterns.addWithLabel<ChosenFirst, ChosenSecond, GuardOfNumber, GuardOfNaN>({"guards-dropped"}, context);
  patterns.addWithLabel<QuotientByPowerOfTwo>({"quotients-as-products"}, context);
  patterns.addWithLabel<ReciprocalTaken, ReciprocalOfWeightTaken>({"reciprocals-taken"}, context);
  patterns.addWithLabel<TimesOne>({"products-with-one"}, context);
  patterns.addWithLabel<SumOfOne, MeanOfOne, MaximumOfOne>({"reductions-of-one"}, context);
  patterns.addWithLabel<ReluOfPositive, ClipWithinBounds>({"bounds-dropped"}, context);
  patterns.addWithLabel<SubtractZero, SubtractBoth, FloatOfWhole, FloatOfDifference>({"differences-cancelled"},
                                                                                     context);
}

namespace {
struct ForgeSimplifyArithmeticPass : forge::impl::ForgeSimplifyArithmeticPassBase<ForgeSimplifyArithmeticPass>,
                                     ReportingPass {
  using ForgeSimplifyArithmeticPassBase::ForgeSimplifyArithmeticPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (failed(checkFastMath(func.getLoc(), fastMath)))
      return signalPassFailure();
    if (!deviceBlock(func))
      return;
    permissions = NumericPermissions(/*exact=*/false, fastMath);
    RewritePatternSet all(&getContext());
    populatePatterns(all);
    FrozenRewritePatternSet patterns = permittedPatterns(*this, std::move(all));
    PatternApplicator applicator(patterns);
    applicator.applyDefaultCostModel();
    { // The end of the rewriter erases the ops that it replaced.
      FactRewriter rewriter(func);
      for (Operation &op : func.front())
        simplify(&op, applicator, rewriter);
    }
    eraseDeadOps(func.front());
  }

private:
  // Adds the facts of the result of `op`, tries the patterns on `op`, and then on the ops that replace it.
  void simplify(Operation *op, PatternApplicator &applicator, FactRewriter &rewriter) {
    if (op->getNumResults() != 1 || !isa<RankedTensorType>(op->getResult(0).getType()))
      return;
    rewriter.facts.visit(op);
    // x == x or x != x guards against NaN. With --fast-math=no-nans x is assumed to have none from here on.
    if (permits("numbers-assumed") && isa<EqualOp, NotEqualOp>(op) && op->getOperand(0) == op->getOperand(1))
      rewriter.facts.assumeNumber(op->getOperand(0));
    rewriter.root = op;
    rewriter.inserted.clear();
    // --forge-rewrite-limit is asked before a pattern applies. After it, mayRewrite() only counts the rewrite: it
    // cannot refuse, because the patterns do not include the rewrites that are not permitted.
    RewriteLimit *limit = RewriteLimit::of(&getContext());
    auto mayApply = [&](const Pattern &) { return !limit || limit->left() > 0; };
    auto count = [&](const Pattern &pattern) { return success(mayRewrite(op, pattern.getDebugLabels().front())); };
    if (failed(applicator.matchAndRewrite(op, rewriter, mayApply, /*onFailure=*/{}, /*onSuccess=*/count)))
      return;
    for (Operation *made : std::exchange(rewriter.inserted, {}))
      simplify(made, applicator, rewriter);
  }
};
} // namespace

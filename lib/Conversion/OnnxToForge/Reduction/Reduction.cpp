//===- Reduction.cpp - ONNX reductions ------------------------------------===//

#include "Reduction.h"

#include "../Elementwise/Elementwise.h"
#include "../RegisterAll.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace forge;

Expr forge::flip(Expr x, int64_t axis) {
  ForgeBuilder &b = x.getBuilder();
  if (!x || shapeOf(x)[axis] <= 1)
    return x;
  return {b, b.create<StridedSliceOp>(Value(x), ArrayRef{axis}, ArrayRef<int64_t>{-1}, ArrayRef<int64_t>{INT64_MIN},
                                      ArrayRef<int64_t>{-1})};
}

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

Expr forge::orderReversed(Expr x) { return x.isFloat() ? -x : -1.0 - x; }

Expr forge::comparable(Expr x) {
  if (!x || x.isFloat() || x.elementType().isSignlessInteger(32) || x.elementType().isSignlessInteger(64))
    return x;
  return asInt32(x);
}

Expr forge::product(Expr x, int64_t axis) {
  ForgeBuilder &b = x.getBuilder();
  while (x && shapeOf(x)[axis] > 1) {
    int64_t size = shapeOf(x)[axis], half = size / 2;
    Expr halves = Expr(b, b.slice(x, axis, 0, half)) * Expr(b, b.slice(x, axis, half, 2 * half));
    Value rest = size % 2 ? b.slice(x, axis, size - 1, size) : Value();
    x = {b, rest && halves ? b.concatenate({halves, rest}, axis) : Value(halves)};
  }
  return x;
}

// Reduces `axes`, which are kept with size 1.
template <typename OpTy>
static Expr along(Expr x, ArrayRef<int64_t> axes) {
  return {x.getBuilder(), x.getBuilder().reduce<OpTy>(x, axes, /*keepDims=*/true)};
}

static Expr reduceSum(Expr x, ArrayRef<int64_t> axes) { return along<ReduceSumOp>(x, axes); }

static Expr reduceL1(Expr x, ArrayRef<int64_t> axes) { return reduceSum(abs(x), axes); }

static Expr reduceSumSquare(Expr x, ArrayRef<int64_t> axes) { return reduceSum(x * x, axes); }

static Expr reduceL2(Expr x, ArrayRef<int64_t> axes) { return sqrt(reduceSumSquare(x, axes)); }

static Expr reduceLogSum(Expr x, ArrayRef<int64_t> axes) { return log(reduceSum(x, axes)); }

static Expr reduceMean(Expr x, ArrayRef<int64_t> axes) {
  if (x.isFloat())
    return along<ReduceAvgOp>(x, axes);
  double count = 1;
  for (int64_t axis : axes)
    count *= static_cast<double>(shapeOf(x)[axis]);
  Expr sum = comparable(reduceSum(x, axes));
  return Expr::binary<QuotientOp>(sum, sum.number(count)).cast(x.elementType());
}

// Subtracts the maximum, so that no exponential overflows. An infinite maximum is not subtracted: it is the result
// itself (-inf, because log(0 + 1e-10) is finite).
static Expr reduceLogSumExp(Expr x, ArrayRef<int64_t> axes) {
  Expr largest = along<ReduceMaxOp>(x, axes);
  Expr finite = select(abs(largest) < kInfinity, largest, 0.0);
  return reduceSum(exp(x - finite), axes).unary<LogOp>() + largest;
}

static Expr reduceMax(Expr x, ArrayRef<int64_t> axes) {
  return along<ReduceMaxOp>(comparable(x), axes).cast(x.elementType());
}

static Expr reduceMin(Expr x, ArrayRef<int64_t> axes) {
  return orderReversed(along<ReduceMaxOp>(orderReversed(comparable(x)), axes)).cast(x.elementType());
}

static Expr reduceProd(Expr x, ArrayRef<int64_t> axes) {
  for (int64_t axis : axes)
    x = product(x, axis);
  return x;
}

// The limits of an integer type, the results for an empty set.
double forge::lowestOf(Type element) {
  if (isa<FloatType>(element))
    return -kInfinity;
  unsigned width = element.getIntOrFloatBitWidth();
  return width == 1 || element.isUnsignedInteger() ? 0 : -static_cast<double>(uint64_t(1) << (width - 1));
}

static double highestOf(Type element) {
  if (isa<FloatType>(element))
    return kInfinity;
  unsigned width = element.getIntOrFloatBitWidth();
  if (width == 1)
    return 1;
  // The limits of 64-bit integers fit neither double nor Int32.
  return width >= 64 ? std::nan("") : static_cast<double>((uint64_t(1) << (width - !element.isUnsignedInteger())) - 1);
}

static double zero(Type) { return 0; }

static double one(Type) { return 1; }

static double undefined(Type) { return std::nan(""); }

static double minusInfinity(Type) { return -kInfinity; }

enum class Integers { exact, refused };

// One reduction, whose `axes` are an attribute, and an input since `InputSince`. `ofEmpty` gives the result for an
// empty set, NaN if ONNX does not define it. Formulas on floats are computed in f32; some do not support integers.
template <Expr (*Formula)(Expr, ArrayRef<int64_t>), int64_t InputSince, double (*ofEmpty)(Type),
          Integers integers = Integers::exact>
static Values reduce(OnnxNode &n, ForgeBuilder &b) {
  Value x = n.input(0);
  bool keepDims = n.flagAttr("keepdims", true);
  if (!x)
    return {};
  std::optional<SmallVector<int64_t>> given = n.optionalIntsOrInput("axes", 1, InputSince);
  bool noop = n.since() >= InputSince && n.flagAttr("noop_with_empty_axes", false);
  if (n.failed())
    return {};
  // Without axes all are reduced, or none with noop_with_empty_axes.
  bool hasAxes = given && !given->empty();
  SmallVector<int64_t> axes = hasAxes ? n.axes(*given, rankOf(x)) : allAxes(noop ? 0 : rankOf(x));
  if (n.failed())
    return {};
  Type element = elementOf(x);
  SmallVector<int64_t> kept(shapeOf(x)), dropped;
  for (auto [axis, size] : llvm::enumerate(kept)) {
    bool isReduced = llvm::is_contained(axes, static_cast<int64_t>(axis));
    if (!isReduced || keepDims)
      dropped.push_back(isReduced ? 1 : size);
    size = isReduced ? 1 : size;
  }
  bool isEmpty = numElements(x) == 0 && ShapedType::getNumElements(kept) != 0;
  double emptyResult = ofEmpty(element);
  if (isEmpty && std::isnan(emptyResult))
    n.refuse(Code::ResultUndefined, "the result for an empty set is not defined, or does not fit the device's type");
  if (integers == Integers::refused && !isa<FloatType>(element))
    n.refuse(Code::RoundingUndefined, "this reduction of integers rounds, which ONNX leaves open; cast to float first");
  bool grows = Formula == reduceSumSquare || (Formula != reduceMax && Formula != reduceMin && !axes.empty());
  if (element.isUnsignedInteger() && grows)
    n.refuse(Code::IntegerRange, "a result of an unsigned type may not fit Int32 on the device; cast to int32 first");
  if (n.failed())
    return {};
  if (isEmpty)
    return {b.splat(RankedTensorType::get(dropped, element), emptyResult)};
  // Reductions that are a single forge op keep the float type.
  bool direct = Formula == reduceSum || Formula == reduceMean || Formula == reduceMax || Formula == reduceMin;
  auto formula = [&](Expr operand) { return Formula(operand, axes); };
  Expr result = direct ? formula({b, x}) : inFloat32({b, x}, formula);
  return {b.reshape(result, dropped)};
}

void forge::registerReductionOps(OnnxRegistry &registry) {
  registry.add({
      {"ReduceSum", {1, 11, 13}, reduce<reduceSum, 13, zero>},
      {"ReduceMean", {1, 11, 13, 18}, reduce<reduceMean, 18, undefined>},
      {"ReduceMax", {1, 11, 12, 13, 18, 20}, reduce<reduceMax, 18, lowestOf>},
      {"ReduceMin", {1, 11, 12, 13, 18, 20}, reduce<reduceMin, 18, highestOf>},
      {"ReduceProd", {1, 11, 13, 18}, reduce<reduceProd, 18, one>},
      {"ReduceL1", {1, 11, 13, 18}, reduce<reduceL1, 18, zero>},
      {"ReduceL2", {1, 11, 13, 18}, reduce<reduceL2, 18, zero, Integers::refused>},
      {"ReduceSumSquare", {1, 11, 13, 18}, reduce<reduceSumSquare, 18, zero>},
      {"ReduceLogSum", {1, 11, 13, 18, 28}, reduce<reduceLogSum, 18, minusInfinity, Integers::refused>},
      {"ReduceLogSumExp", {1, 11, 13, 18, 28}, reduce<reduceLogSumExp, 18, minusInfinity, Integers::refused>},
      {"ArgMax", {1, 11, 12, 13}, convertArgMax},
      {"ArgMin", {1, 11, 12, 13}, convertArgMin},
      {"Hardmax", {1, 11, 13}, convertHardmax},
      {"CumSum", {11, 14}, convertCumSum},
      {"CumProd", {26}, convertCumProd},
      {"TopK", {1, 10, 11, 24}, convertTopK},
  });
}

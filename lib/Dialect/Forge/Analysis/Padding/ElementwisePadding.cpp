//===- ElementwisePadding.cpp - elementwise ops on padding ----------------===//

#include "forge/Dialect/Forge/Analysis/Padding/TilePadding.h"

#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace mlir;
using namespace forge;
using namespace forge::itd;

namespace {

/// Whether the value of a function is finite: not known, for finite operands, or always.
enum Finite { Uncertain, Kept, Always };

struct PaddingFunction {
  Finite finite;
  /// The value for constant operands, as Forge computes it.
  double (*value)(Operation *op, const double *x);
};

} // namespace

#define FORGE_PADDING(EXPRESSION) [](Operation *, const double *x) -> double { return EXPRESSION; }
#define FORGE_PADDING_OF(OP, EXPRESSION)                                                                               \
  [](Operation *operation, const double *x) -> double {                                                                \
    auto op = cast<OP>(operation);                                                                                     \
    return EXPRESSION;                                                                                                 \
  }

// Sums and products of finite numbers may overflow, and the argument of a root may be negative.
static const llvm::StringMap<PaddingFunction> &paddingFunctions() {
  static const llvm::StringMap<PaddingFunction> functions{
      {"forge.abs", {Kept, FORGE_PADDING(std::abs(x[0]))}},
      {"forge.exp", {Uncertain, FORGE_PADDING(std::exp(x[0]))}},
      {"forge.log", {Uncertain, FORGE_PADDING(std::log(x[0] + 1e-10))}},
      {"forge.reciprocal", {Uncertain, FORGE_PADDING(1 / (x[0] + 1e-10))}},
      {"forge.sqrt", {Uncertain, FORGE_PADDING(std::sqrt(x[0]))}},
      {"forge.relu", {Kept, FORGE_PADDING(x[0] > 0 ? x[0] : 0)}},
      {"forge.sigmoid", {Kept, FORGE_PADDING(1 / (1 + std::exp(-x[0])))}},
      {"forge.sine", {Kept, FORGE_PADDING(std::sin(x[0]))}},
      {"forge.cosine", {Kept, FORGE_PADDING(std::cos(x[0]))}},
      {"forge.atan", {Kept, FORGE_PADDING(std::atan(x[0]))}},
      {"forge.tanh", {Kept, FORGE_PADDING(std::tanh(x[0]))}},
      {"forge.erf", {Kept, FORGE_PADDING(std::erf(x[0]))}},
      {"forge.gelu", {Uncertain, FORGE_PADDING(x[0] == 0 ? 0 : std::nan(""))}},
      {"forge.leaky_relu",
       {Uncertain, FORGE_PADDING_OF(LeakyReluOp, x[0] >= 0 ? x[0] : op.getAlpha().convertToFloat() * x[0])}},
      {"forge.clip",
       {Kept, FORGE_PADDING_OF(ClipOp, std::min<double>(std::max<double>(x[0], op.getMin().convertToFloat()),
                                                        op.getMax().convertToFloat()))}},
      {"forge.pow", {Uncertain, FORGE_PADDING_OF(PowOp, std::pow(x[0], op.getExponent().convertToFloat()))}},
      {"forge.cast", {Uncertain, FORGE_PADDING_OF(CastOp, op.getDtype().isInteger(1) ? x[0] != 0 : x[0])}},
      {"forge.logical_not", {Always, FORGE_PADDING(x[0] == 0)}},
      {"forge.add", {Uncertain, FORGE_PADDING(x[0] + x[1])}},
      {"forge.subtract", {Uncertain, FORGE_PADDING(x[0] - x[1])}},
      {"forge.multiply", {Uncertain, FORGE_PADDING(x[0] * x[1])}},
      {"forge.divide", {Uncertain, FORGE_PADDING(x[0] / x[1])}},
      {"forge.max", {Kept, FORGE_PADDING(std::max(x[0], x[1]))}},
      {"forge.min", {Kept, FORGE_PADDING(std::min(x[0], x[1]))}},
      {"forge.power", {Uncertain, FORGE_PADDING(std::pow(x[0], x[1]))}},
      {"forge.heaviside", {Kept, FORGE_PADDING(x[0] == 0 ? x[1] : x[0] > 0)}},
      {"forge.equal", {Always, FORGE_PADDING(x[0] == x[1])}},
      {"forge.not_equal", {Always, FORGE_PADDING(x[0] != x[1])}},
      {"forge.greater", {Always, FORGE_PADDING(x[0] > x[1])}},
      {"forge.less", {Always, FORGE_PADDING(x[0] < x[1])}},
      {"forge.greater_equal", {Always, FORGE_PADDING(x[0] >= x[1])}},
      {"forge.less_equal", {Always, FORGE_PADDING(x[0] <= x[1])}},
  };
  return functions;
}
#undef FORGE_PADDING
#undef FORGE_PADDING_OF

PaddingValue forge::storedPadding(double value, Type element) {
  if (std::isnan(value))
    return PaddingValue::undef();
  if (auto floating = dyn_cast<FloatType>(element)) {
    APFloat rounded(value);
    bool lost = false;
    rounded.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
    return !lost ? PaddingValue::of(value) : rounded.isFinite() ? PaddingValue::finite() : PaddingValue::undef();
  }
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return PaddingValue::undef();
  // The device has no more than 32 bits.
  bool hasSign = !integer.isUnsigned() && integer.getWidth() > 1;
  double limit = std::ldexp(1, std::min<int>(31, integer.getWidth() - hasSign));
  bool exact = value == std::trunc(value) && value < limit && value >= (hasSign ? -limit : 0);
  return exact ? PaddingValue::of(value) : PaddingValue::finite();
}

// The value of a function of constants. The sign of a zero is not known, so that there is none if it matters, as in a
// quotient.
static std::optional<double> valueOf(const PaddingFunction &function, Operation *op, ArrayRef<PaddingValue> constants) {
  std::optional<double> value;
  for (unsigned signs = 0; signs < 1U << constants.size(); ++signs) {
    SmallVector<double> numbers;
    for (auto [i, known] : llvm::enumerate(constants))
      numbers.push_back(known.isZero() ? (signs >> i & 1 ? -0.0 : 0.0) : known.constant);
    double next = function.value(op, numbers.data());
    if (std::isnan(next) || (value && *value != next))
      return std::nullopt;
    value = value.value_or(next);
  }
  return value;
}

static bool castKeepsFinite(Type from, Type to) {
  // bf16 and f32 have one range; f16 overflows.
  return from == to || !isa<FloatType>(to) || (to.isF32() && !from.isF64()) ||
         (to.isBF16() && !from.isF32() && !from.isF64());
}

PaddingValue forge::applyToPadding(Operation *op, ArrayRef<PaddingValue> operands) {
  if (isa<WhereOp>(op)) {
    const PaddingValue &condition = operands[0];
    if (condition.kind != PaddingValue::Const)
      return join(operands[1], operands[2]);
    return condition.isZero() ? operands[2] : operands[1];
  }
  if (isa<MultiplyOp>(op) &&
      ((operands[0].isZero() && operands[1].isFinite()) || (operands[1].isZero() && operands[0].isFinite())))
    return PaddingValue::of(0);

  auto found = paddingFunctions().find(op->getName().getStringRef());
  if (found == paddingFunctions().end())
    return PaddingValue::undef();
  const PaddingFunction &function = found->second;
  bool allConstant =
      llvm::all_of(operands, [](const PaddingValue &value) { return value.kind == PaddingValue::Const; });
  Type from = tensorType(op->getOperand(0)).getElementType(), to = tensorType(op->getResult(0)).getElementType();
  if (std::optional<double> value = allConstant ? valueOf(function, op, operands) : std::nullopt)
    if (PaddingValue result = storedPadding(*value, to); result.kind != PaddingValue::Undef)
      return result;
  bool allFinite = llvm::all_of(operands, [](const PaddingValue &value) { return value.isFinite(); });
  Finite finite = isa<CastOp>(op) ? (castKeepsFinite(from, to) ? Kept : Uncertain) : function.finite;
  return finite == Always || (finite == Kept && allFinite) ? PaddingValue::finite() : PaddingValue::undef();
}

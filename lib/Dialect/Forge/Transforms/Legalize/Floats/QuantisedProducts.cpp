//===- QuantisedProducts.cpp - convolutions of quantised integers ---------===//

#include "FloatPrecision.h"

#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Forge/IR/Rewriting/PassReport.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// Between 2^23 and 2^24 the numbers of Float32 are the integers, so that adding 2^23 rounds to integers.
static constexpr double kFirstWhole = 1 << 23, kLastWhole = 1 << 24;

bool forge::isQuantised(Value value, double largestInteger) {
  auto difference = value.getDefiningOp<SubtractOp>();
  auto sum = difference ? difference.getOperandA().getDefiningOp<AddOp>() : AddOp();
  auto clip = sum ? sum.getOperandA().getDefiningOp<ClipOp>() : ClipOp();
  if (!clip || !tensorType(sum.getResult()).getElementType().isF32())
    return false;
  std::optional<double> raised = splatValue(sum.getOperandB()), lowered = splatValue(difference.getOperandB());
  if (!raised || !lowered || *lowered != std::trunc(*lowered))
    return false;
  double low = clip.getMin().convertToDouble(), high = clip.getMax().convertToDouble();
  return *raised + low >= kFirstWhole && *raised + high <= kLastWhole && *raised + low - *lowered >= -largestInteger &&
         *raised + high - *lowered <= largestInteger;
}

// Whether the op only reorders or reshapes the elements of its operand.
static bool isRearrangement(Operation *op) { return isa<ReshapeOp, TransposeOp, SqueezeOp, UnsqueezeOp>(op); }

// Whether `scale` is a positive number that Float32 holds with full precision.
static bool isOrdinary(double scale) { return scale > 0 && std::isnormal(static_cast<float>(scale)); }

// bias / scale: a division of weights, or a folded constant.
static Value divided(OpBuilder &builder, Value bias, ScalarConstantOp scale) {
  DenseElementsAttr dense;
  if (!matchPattern(bias, m_Constant(&dense)))
    return DivideOp::create(builder, withoutTrace(bias.getLoc()), bias, scale);
  HostTensor host = HostTensor::fromAttr(dense);
  for (double &number : host.floats)
    number /= scale.getConstant().convertToDouble();
  return ConstantOp::create(builder, withoutTrace(bias.getLoc()), tensorType(bias), host.toAttr());
}

namespace {
// Rewrites conv(q * s, w, b) / t to conv(q, w, b / s) / (t / s), for scalars s and t and quantised integers q, which
// the 16-bit format represents. There may be rearrangements before and after the convolution.
struct ScaledConvolution {
  Conv2dOp conv;
  MultiplyOp scaled;  ///< q * s
  OpOperand *operand; ///< the use of q * s, by the convolution or by the first rearrangement before it
  DivideOp quotient;
  SmallVector<Operation *> between; ///< the ops from `operand` to `quotient`
  double scale, divisor;

  static std::optional<ScaledConvolution> of(Conv2dOp conv, const ComputedWeights &weights, double largestInteger) {
    ScaledConvolution found;
    found.conv = conv;
    found.between.push_back(conv);
    if (Value bias = conv.getBias(); bias && !isa_and_nonnull<ParameterOp, ConstantOp>(bias.getDefiningOp()) &&
                                     !weights.contains(bias.getDefiningOp()))
      return std::nullopt;
    found.operand = &conv.getActivationsMutable();
    while (Operation *op = found.operand->get().getDefiningOp()) {
      if (!isRearrangement(op) || !op->hasOneUse())
        break;
      found.between.push_back(op);
      found.operand = &op->getOpOperand(0);
    }
    found.scaled = found.operand->get().getDefiningOp<MultiplyOp>();
    Value result = conv.getResult();
    while (result.hasOneUse() && isRearrangement(*result.user_begin())) {
      found.between.push_back(*result.user_begin());
      result = found.between.back()->getResult(0);
    }
    found.quotient = result.hasOneUse() ? dyn_cast<DivideOp>(*result.user_begin()) : DivideOp();
    if (!found.scaled || !found.quotient || found.quotient.getOperandA() != result ||
        found.scaled.getType() != found.scaled.getOperandA().getType() ||
        found.quotient.getType() != result.getType() || !isQuantised(found.scaled.getOperandA(), largestInteger))
      return std::nullopt;
    std::optional<double> scale = splatValue(found.scaled.getOperandB()),
                          divisor = splatValue(found.quotient.getOperandB());
    if (!scale || !divisor || !isOrdinary(*scale) || !isOrdinary(*divisor) || !isOrdinary(*divisor / *scale))
      return std::nullopt;
    found.scale = *scale;
    found.divisor = *divisor;
    return found;
  }

  void rewrite() {
    OpBuilder builder(conv);
    auto scalar = [&](double number) {
      FloatType format = builder.getF32Type();
      return ScalarConstantOp::create(builder, withoutTrace(conv.getLoc()), RankedTensorType::get({1}, format),
                                      APFloat(static_cast<float>(number)), format);
    };
    operand->set(scaled.getOperandA());
    // The values between the integers and the quotient are no longer those of ONNX nodes.
    for (Operation *op : between)
      op->setLoc(withoutTrace(op->getLoc()));
    if (Value bias = conv.getBias())
      conv.getBiasMutable().assign(divided(builder, bias, scalar(scale)));
    builder.setInsertionPoint(quotient);
    quotient.getOperandBMutable().assign(scalar(divisor / scale));
    if (scaled.use_empty())
      scaled.erase();
  }
};
} // namespace

void forge::scaleAfterConvolutions(Block &block, FloatType format, const ComputedWeights &weights,
                                   ReportingPass &pass) {
  double largestInteger = std::ldexp(1.0, format.getFPMantissaWidth());
  for (auto conv : llvm::make_early_inc_range(block.getOps<Conv2dOp>()))
    if (auto found = ScaledConvolution::of(conv, weights, largestInteger);
        found && pass.mayRewrite(conv, "scales-after-convolutions"))
      found->rewrite();
}

//===- QuantisedProducts.cpp - convolutions of quantised integers ---------===//
//
// A convolution in bfloat16 reads its operand rounded. The integers q of a quantiser are exact in bfloat16, but q * s,
// for the scale s, is not. Therefore conv(q * s) / t becomes conv(q) / (t / s). The result of the convolution is then
// 1 / s times as large, which does not overflow, because bfloat16 has the exponents of Float32.
//
// A trace (Location.h) records which ONNX value a result holds. Rewrites keep traces, and do not depend on them.
//
//===----------------------------------------------------------------------===//

#include "FloatPrecision.h"

#include "Fusion/Scaling.h"

#include <cmath>

using namespace mlir;
using namespace forge;

// From 2^23 to 2^24 the numbers of Float32 are the integers, so that a sum in this range is rounded to an integer.
static constexpr double kFirstWhole = 1 << 23, kLastWhole = 1 << 24;

// Matches clip(x) + c - d. The bounds of the clip show whether clip(x) + c lies between 2^23 and 2^24, where all
// numbers of Float32 are integers. If d is an integer, too, so is the difference, whose bounds are compared with
// `largestInteger`.
bool forge::isResultOfQuantiser(Value value, double largestInteger) {
  auto difference = value.getDefiningOp<SubtractOp>();
  auto sum = difference ? difference.getOperandA().getDefiningOp<AddOp>() : AddOp();
  auto clip = sum ? sum.getOperandA().getDefiningOp<ClipOp>() : ClipOp();
  if (!clip || !tensorType(sum.getResult()).getElementType().isF32())
    return false;
  std::optional<double> raised = splatValue(sum.getOperandB()), lowered = splatValue(difference.getOperandB());
  if (!raised || !lowered || *lowered != std::trunc(*lowered))
    return false;
  // A clip whose bounds are reversed gives its upper bound everywhere.
  double high = clip.getMax().convertToDouble(), low = std::min<double>(clip.getMin().convertToDouble(), high);
  return *raised + low >= kFirstWhole && *raised + high <= kLastWhole && *raised + low - *lowered >= -largestInteger &&
         *raised + high - *lowered <= largestInteger;
}

// Whether the op only reorders or reshapes the elements of its operand.
static bool isRearrangement(Operation *op) { return isa<ReshapeOp, TransposeOp, SqueezeOp, UnsqueezeOp>(op); }

// The scalar constant by which a quantiser multiplies or divides; none if it is not positive, or so small or large that
// the quotient of another ordinary number and this one could be infinite or 0.
static std::optional<double> scaleOf(Value value) {
  std::optional<double> scale = splatValue(value);
  return scale && *scale > 0 && isOrdinaryFactor(*scale) ? scale : std::nullopt;
}

// bias / scale: a division that is evaluated when the weights file is written, or a folded constant.
static Value divided(OpBuilder &builder, Value bias, double scale) {
  Location loc = withoutTrace(bias.getLoc());
  DenseElementsAttr dense;
  if (!matchPattern(bias, m_Constant(&dense)))
    return DivideOp::create(builder, loc, bias, scalarConstant(builder, loc, static_cast<float>(scale)));
  HostTensor host = HostTensor::fromAttr(dense);
  for (double &number : host.floats)
    number /= scale;
  return ConstantOp::create(builder, loc, tensorType(bias), host.toAttr());
}

namespace {
// conv(q * s, w, b) / t, which becomes conv(q, w, b / s) / (t / s), for scalars s and t and quantised integers q, which
// the 16-bit format represents. There may be reshapes and transposes before and after the convolution.
struct ScaledConvolution {
  Conv2dOp conv;
  MultiplyOp scaled;  ///< q * s
  OpOperand *operand; ///< the use of q * s, by the convolution or by the first reshape or transpose before it
  DivideOp quotient;
  SmallVector<Operation *> between; ///< the ops from `operand` to `quotient`
  double scale, divisor;            ///< s and t

  // Matches the ops around `conv`. The results of the ops from `operand` to the quotient change, so that these may have
  // no other users. q * s does not change.
  static std::optional<ScaledConvolution> of(Conv2dOp conv, const ComputedWeights &weights, double largestInteger) {
    ScaledConvolution found;
    found.conv = conv;
    found.between.push_back(conv);
    // The bias is divided by s when the program is compiled.
    if (Value bias = conv.getBias(); bias && !(isWeightOrConstant(bias, weights) && isOrdinaryAddend(bias)))
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
    // Only the order q * s is matched, in which DequantizeLinear is converted. The types are equal if the scalar
    // broadcasts to the image, and not the image to the scalar, which may have more axes.
    if (!found.scaled || !found.quotient || found.quotient.getOperandA() != result ||
        found.scaled.getType() != found.scaled.getOperandA().getType() ||
        found.quotient.getType() != result.getType() ||
        !isResultOfQuantiser(found.scaled.getOperandA(), largestInteger))
      return std::nullopt;
    std::optional<double> scale = scaleOf(found.scaled.getOperandB()), divisor = scaleOf(found.quotient.getOperandB());
    if (!scale || !divisor)
      return std::nullopt;
    found.scale = *scale;
    found.divisor = *divisor;
    return found;
  }

  // Makes the convolution read the integers, and divides its bias and the divisor by the scale.
  void rewrite() {
    OpBuilder builder(conv);
    operand->set(scaled.getOperandA());
    // The values between the integers and the quotient are no longer those of ONNX nodes.
    for (Operation *op : between)
      op->setLoc(withoutTrace(op->getLoc()));
    if (Value bias = conv.getBias())
      conv.getBiasMutable().assign(divided(builder, bias, scale));
    builder.setInsertionPoint(quotient);
    Value divisorOfIntegers = scalarConstant(builder, withoutTrace(conv.getLoc()), static_cast<float>(divisor / scale));
    quotient.getOperandBMutable().assign(divisorOfIntegers);
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

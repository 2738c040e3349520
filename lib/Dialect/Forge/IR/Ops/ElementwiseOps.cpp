//===- ElementwiseOps.cpp - elementwise ops -------------------------------===//

#include "MapElements.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"

#include <cmath>

using namespace mlir;
using namespace forge;

InferredType LogicalNotOp::inferType(Adaptor op, const Inference &) {
  return tensorType(op.getOperandA()).clone(IntegerType::get(op.getOperandA().getContext(), 32));
}

InferredType CastOp::inferType(Adaptor op, const Inference &infer) {
  if (!isa<IntegerType, FloatType>(op.getDtype()))
    return infer.error("(C1) expected an integer or floating-point 'dtype', but got ", op.getDtype());
  return tensorType(op.getOperandA()).clone(op.getDtype());
}

InferredType ClipOp::inferType(Adaptor op, const Inference &infer) {
  if (failed(infer.floatingPoint(op.getOperandA())))
    return failure();
  return tensorType(op.getOperandA());
}

InferredType DivideOp::inferType(Adaptor op, const Inference &infer) {
  if (failed(infer.floatingPoint(op.getOperandA())))
    return failure();
  return infer.broadcastPromoted(op.getOperands());
}

InferredType WhereOp::inferType(Adaptor op, const Inference &infer) {
  InferredType values = infer.broadcast({op.getX(), op.getY()});
  if (failed(values))
    return failure();
  auto shape = infer.broadcastShapes(shapeOf(op.getCondition()), values->getShape());
  if (failed(shape))
    return failure();
  return values->clone(*shape);
}

HostTensors SqrtOp::evaluate(Operands x) { return mapFloats(x, std::sqrt); }
HostTensors ExpOp::evaluate(Operands x) { return mapFloats(x, std::exp); }
HostTensors TanhOp::evaluate(Operands x) { return mapFloats(x, std::tanh); }
HostTensors ErfOp::evaluate(Operands x) { return mapFloats(x, std::erf); }
HostTensors SineOp::evaluate(Operands x) { return mapFloats(x, std::sin); }
HostTensors CosineOp::evaluate(Operands x) { return mapFloats(x, std::cos); }
HostTensors SigmoidOp::evaluate(Operands operands) {
  return mapFloats(operands, [](double x) { return 1 / (1 + std::exp(-x)); });
}
// Keeps NaN and -0.
HostTensors ReluOp::evaluate(Operands operands) {
  return mapFloats(operands, [](double x) { return x < 0 ? 0 : x; });
}

// Keeps NaN and -0. If min > max, the result is max.
HostTensors ClipOp::evaluate(Operands operands) {
  double low = getMin().convertToDouble(), high = getMax().convertToDouble();
  if (std::isnan(low) || std::isnan(high))
    return {};
  HostTensor result = operands[0];
  for (double &element : result.floats) {
    double raised = element < low ? low : element;
    element = raised > high ? high : raised;
  }
  return {result};
}

HostTensors AbsOp::evaluate(Operands operands) {
  HostTensor result = operands[0];
  for (int64_t &element : result.ints)
    element = static_cast<int64_t>(llvm::AbsoluteValue(element));
  for (double &element : result.floats)
    element = std::abs(element);
  return {result};
}

bool IdentityOp::keepsElements() { return true; }

HostTensors CastOp::evaluate(Operands operands) {
  const HostTensor &operand = operands[0];
  HostTensor result{tensorType(getResult()), {}, {}};
  bool toBool = result.type.getElementType().isInteger(1);
  for (double element : operand.floats) {
    if (result.isFloat())
      result.floats.push_back(element);
    else if (toBool)
      result.ints.push_back(element != 0);
    else if (-0x1p63 <= element && element < 0x1p63)
      result.ints.push_back(static_cast<int64_t>(element));
    else
      return {}; // Undefined in ONNX, and not folded.
  }
  for (int64_t element : operand.ints) {
    if (auto real = dyn_cast<FloatType>(result.type.getElementType())) {
      APFloat rounded(real.getFloatSemantics()); // Not via double, which would round twice.
      rounded.convertFromAPInt(APInt(64, element), /*IsSigned=*/true, APFloat::rmNearestTiesToEven);
      result.floats.push_back(rounded.convertToDouble());
    } else {
      result.ints.push_back(toBool ? element != 0 : element);
    }
  }
  return {result};
}

HostTensors AddOp::evaluate(Operands x) { return mapPairs(*this, x, std::plus<>(), wrapping(std::plus<>())); }
HostTensors SubtractOp::evaluate(Operands x) { return mapPairs(*this, x, std::minus<>(), wrapping(std::minus<>())); }
HostTensors MultiplyOp::evaluate(Operands x) {
  return mapPairs(*this, x, std::multiplies<>(), wrapping(std::multiplies<>()));
}
HostTensors DivideOp::evaluate(Operands x) { return mapFloatPairs(*this, x, std::divides<double>()); }
HostTensors PowerOp::evaluate(Operands operands) {
  return mapFloatPairs(*this, operands, [](double a, double b) { return std::pow(a, b); });
}

template <typename T>
static T propagateNaN(T a, T b, T chosen) {
  return std::isnan(a) ? a : std::isnan(b) ? b : chosen;
}

HostTensors MaxOp::evaluate(Operands operands) {
  return mapPairs(*this, operands, [](auto a, auto b) { return propagateNaN(a, b, a > b ? a : b); });
}
HostTensors MinOp::evaluate(Operands operands) {
  return mapPairs(*this, operands, [](auto a, auto b) { return propagateNaN(a, b, a < b ? a : b); });
}

// The remainder has the sign of the divisor. Empty if a divisor is 0, or the quotient could overflow.
HostTensors RemainderOp::evaluate(Operands operands) {
  if (llvm::any_of(operands[1].ints, [](int64_t divisor) { return divisor == 0 || divisor == -1; }))
    return {};
  auto withSign = [](auto rest, auto divisor) {
    return rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest;
  };
  return mapPairs(
      *this, operands, [&](double a, double b) { return withSign(std::fmod(a, b), b); },
      [&](int64_t a, int64_t b) { return withSign(a % b, b); });
}

HostTensors BitwiseAndOp::evaluate(Operands x) { return mapIntPairs(*this, x, std::bit_and<int64_t>()); }

HostTensors EqualOp::evaluate(Operands x) { return mapPairs(*this, x, std::equal_to<>()); }
HostTensors NotEqualOp::evaluate(Operands x) { return mapPairs(*this, x, std::not_equal_to<>()); }
HostTensors LessOp::evaluate(Operands x) { return mapPairs(*this, x, std::less<>()); }
HostTensors LessEqualOp::evaluate(Operands x) { return mapPairs(*this, x, std::less_equal<>()); }
HostTensors GreaterOp::evaluate(Operands x) { return mapPairs(*this, x, std::greater<>()); }
HostTensors GreaterEqualOp::evaluate(Operands x) { return mapPairs(*this, x, std::greater_equal<>()); }

HostTensors WhereOp::evaluate(Operands operands) {
  HostTensor result{tensorType(getResult()), {}, {}};
  auto indices = llvm::map_to_vector(
      operands, [&](const HostTensor &operand) { return operand.broadcastIndices(result.shape()); });
  const HostTensor &condition = operands[0];
  for (auto [i, at] : llvm::enumerate(indices[0])) {
    bool isTrue = condition.isFloat() ? condition.floats[at] != 0 : condition.ints[at] != 0;
    unsigned source = isTrue ? 1 : 2;
    result.append(operands[source], indices[source][i]);
  }
  return {result};
}

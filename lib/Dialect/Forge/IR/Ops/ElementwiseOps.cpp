//===- ElementwiseOps.cpp - elementwise ops -------------------------------===//

#include "MapElements.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"

#include <cmath>

using namespace mlir;
using namespace forge;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Constants, one operand
//===----------------------------------------------------------------------===//

HostTensors SqrtOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapFloats(operands, [](double x) { return std::sqrt(x); });
}
HostTensors ExpOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapFloats(operands, [](double x) { return std::exp(x); });
}
HostTensors TanhOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapFloats(operands, [](double x) { return std::tanh(x); });
}
HostTensors ErfOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapFloats(operands, [](double x) { return std::erf(x); });
}

HostTensors SineOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapFloats(operands, [](double x) { return std::sin(x); });
}
HostTensors CosineOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapFloats(operands, [](double x) { return std::cos(x); });
}
HostTensors SigmoidOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapFloats(operands, [](double x) { return 1 / (1 + std::exp(-x)); });
}
// Keeps NaN and -0.
HostTensors ReluOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapFloats(operands, [](double x) { return x < 0 ? 0 : x; });
}

// Keeps NaN and -0. If min > max, the result is max.
HostTensors ClipOp::evaluate(ArrayRef<HostTensor> operands) {
  double low = getMin().convertToDouble(), high = getMax().convertToDouble();
  if (std::isnan(low) || std::isnan(high))
    return {};
  return mapFloats(operands, [&](double x) {
    double raised = x < low ? low : x;
    return raised > high ? high : raised;
  });
}

HostTensors AbsOp::evaluate(ArrayRef<HostTensor> operands) {
  HostTensor result = operands[0];
  for (int64_t &element : result.ints)
    element = element < 0 ? wrapped(0 - uint64_t(element)) : element;
  for (double &element : result.floats)
    element = std::abs(element);
  return {result};
}

bool IdentityOp::keepsElements() { return true; }

HostTensors CastOp::evaluate(ArrayRef<HostTensor> operands) {
  const HostTensor &operand = operands[0];
  HostTensor result{tensorType(getResult()), {}, {}};
  bool toBool = result.type.getElementType().isInteger(1);
  for (double element : operand.floats) {
    if (result.isFloat())
      result.floats.push_back(element);
    else if (toBool)
      result.ints.push_back(element != 0);
    else if (std::isfinite(element) && std::abs(element) < 9.2e18)
      result.ints.push_back(static_cast<int64_t>(element));
    else
      return {}; // Undefined in ONNX, and not folded.
  }
  for (int64_t element : operand.ints) {
    if (result.isFloat())
      result.floats.push_back(static_cast<double>(element));
    else
      result.ints.push_back(toBool ? element != 0 : element);
  }
  return {result};
}

//===----------------------------------------------------------------------===//
// Constants, two operands and more
//===----------------------------------------------------------------------===//

HostTensors AddOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(
      *this, operands, [](double a, double b) { return a + b; },
      [](int64_t a, int64_t b) { return wrapped(uint64_t(a) + uint64_t(b)); });
}
HostTensors SubtractOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(
      *this, operands, [](double a, double b) { return a - b; },
      [](int64_t a, int64_t b) { return wrapped(uint64_t(a) - uint64_t(b)); });
}
HostTensors MultiplyOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(
      *this, operands, [](double a, double b) { return a * b; },
      [](int64_t a, int64_t b) { return wrapped(uint64_t(a) * uint64_t(b)); });
}
HostTensors DivideOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapFloatPairs(*this, operands, [](double a, double b) { return a / b; });
}
HostTensors PowerOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapFloatPairs(*this, operands, [](double a, double b) { return std::pow(a, b); });
}

static double propagateNaN(double a, double b, double chosen) { return std::isnan(a) ? a : std::isnan(b) ? b : chosen; }

HostTensors MaxOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(
      *this, operands, [](double a, double b) { return propagateNaN(a, b, std::max(a, b)); },
      [](int64_t a, int64_t b) { return std::max(a, b); });
}
HostTensors MinOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(
      *this, operands, [](double a, double b) { return propagateNaN(a, b, std::min(a, b)); },
      [](int64_t a, int64_t b) { return std::min(a, b); });
}

// The remainder has the sign of the divisor. Empty if a divisor is 0, or the quotient could overflow.
HostTensors RemainderOp::evaluate(ArrayRef<HostTensor> operands) {
  if (llvm::any_of(operands[1].ints, [](int64_t divisor) { return divisor == 0 || divisor == -1; }))
    return {};
  auto withSign = [](auto rest, auto divisor) {
    return rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest;
  };
  return mapPairs(
      *this, operands, [&](double a, double b) { return withSign(std::fmod(a, b), b); },
      [&](int64_t a, int64_t b) { return withSign(a % b, b); });
}

HostTensors BitwiseAndOp::evaluate(ArrayRef<HostTensor> operands) {
  if (operands[0].isFloat())
    return {};
  return mapPairs(*this, operands, [](double, double) { return 0.0; }, [](int64_t a, int64_t b) { return a & b; });
}

HostTensors EqualOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(*this, operands, [](auto a, auto b) { return a == b; });
}
HostTensors NotEqualOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(*this, operands, [](auto a, auto b) { return a != b; });
}
HostTensors LessOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(*this, operands, [](auto a, auto b) { return a < b; });
}
HostTensors LessEqualOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(*this, operands, [](auto a, auto b) { return a <= b; });
}
HostTensors GreaterOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(*this, operands, [](auto a, auto b) { return a > b; });
}
HostTensors GreaterEqualOp::evaluate(ArrayRef<HostTensor> operands) {
  return mapPairs(*this, operands, [](auto a, auto b) { return a >= b; });
}

HostTensors WhereOp::evaluate(ArrayRef<HostTensor> operands) {
  HostTensor result{tensorType(getResult()), {}, {}};
  std::vector<int64_t> indices[3];
  for (int i : {0, 1, 2})
    indices[i] = operands[i].broadcastIndices(result.shape());
  for (size_t i = 0; i < indices[0].size(); ++i) {
    const HostTensor &condition = operands[0];
    bool taken = condition.isFloat() ? condition.floats[indices[0][i]] != 0 : condition.ints[indices[0][i]] != 0;
    const HostTensor &source = operands[taken ? 1 : 2];
    int64_t from = indices[taken ? 1 : 2][i];
    if (result.isFloat())
      result.floats.push_back(source.floats[from]);
    else
      result.ints.push_back(source.ints[from]);
  }
  return {result};
}

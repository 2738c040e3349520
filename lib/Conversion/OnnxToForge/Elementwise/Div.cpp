//===- Div.cpp - ONNX Div -------------------------------------------------===//

#include "Elementwise.h"

#include "forge/Dialect/Forge/IR/Evaluate.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

void forge::refuseZero(OnnxNode &n, Value divisor) {
  DenseElementsAttr known;
  if (divisor && matchPattern(divisor, m_Constant(&known)) && isa<IntegerType>(known.getElementType()) &&
      llvm::is_contained(intValues(known), 0))
    n.refuse(Code::ResultUndefined, "a division by the constant 0 has no result");
}

// The quotient of two constants, in 64 bits.
static Value divideConstants(OnnxNode &n, ForgeBuilder &b, DenseElementsAttr x, DenseElementsAttr y,
                             RankedTensorType type) {
  HostTensor dividend = HostTensor::fromAttr(x), divisor = HostTensor::fromAttr(y), quotient{type, {}, {}};
  std::vector<int64_t> from = dividend.broadcastIndices(type.getShape()),
                       by = divisor.broadcastIndices(type.getShape());
  bool isWide = type.getElementType().isUnsignedInteger() && type.getElementType().getIntOrFloatBitWidth() == 64;
  for (auto [i, j] : llvm::zip_equal(from, by)) {
    int64_t numerator = dividend.ints[i], denominator = divisor.ints[j];
    if (denominator == 0 || (!isWide && denominator == -1 && numerator == INT64_MIN)) {
      n.refuse(Code::ResultUndefined, "a constant division has no result");
      return {};
    }
    quotient.ints.push_back(
        isWide ? static_cast<int64_t>(static_cast<uint64_t>(numerator) / static_cast<uint64_t>(denominator))
               : numerator / denominator);
  }
  return b.constant(quotient.toAttr());
}

// Div (since 1, 6, 7, 13, 14). Integer division truncates.
Values forge::convertDiv(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  if (!x || !y || isa<FloatType>(tensorType(x).getElementType()))
    return {b.create<DivideOp>(x, y)};
  DenseElementsAttr constantX, constantY;
  if (matchPattern(x, m_Constant(&constantX)) && matchPattern(y, m_Constant(&constantY))) {
    // Multiply has the shape and type rules that division shares.
    Value like = b.create<MultiplyOp>(x, y);
    return {like ? divideConstants(n, b, constantX, constantY, tensorType(like)) : Value()};
  }
  refuseZero(n, y);
  if (n.failed())
    return {};
  Type element = tensorType(x).getElementType();
  Expr quotient = truncatingDivide(asInt32({b, x}), asInt32({b, y}));
  // Only the most negative value divided by -1 leaves the range.
  return {element.isUnsignedInteger() ? Value(quotient.cast(element)) : wrapTo(n, quotient, element)};
}

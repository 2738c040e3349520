//===- Div.cpp - ONNX Div -------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

void forge::refuseZero(OnnxNode &n, Value divisor) {
  DenseElementsAttr known;
  if (divisor && matchPattern(divisor, m_Constant(&known)) && isa<IntegerType>(known.getElementType()) &&
      llvm::is_contained(intValues(known), 0))
    n.refuse(Code::ResultUndefined, "a division by the constant 0 has no result");
}

// Div (since 1, 6, 7, 13, 14). Integer division truncates.
Values forge::convertDiv(OnnxNode &n, ForgeBuilder &b) {
  auto [x, y] = binaryOperands(n, b);
  if (!x || !y || isa<FloatType>(tensorType(x).getElementType()))
    return {b.create<DivideOp>(x, y)};
  refuseZero(n, y);
  if (n.failed())
    return {};
  Type element = tensorType(x).getElementType();
  if (x.getDefiningOp<ConstantOp>() && y.getDefiningOp<ConstantOp>())
    return {b.create<QuotientOp>(x, y)};
  Expr quotient(b, b.create<QuotientOp>(Value(asInt32({b, x})), Value(asInt32({b, y}))));
  // Only the most negative value divided by -1 leaves the range.
  return {element.isUnsignedInteger() ? Value(quotient.cast(element)) : wrapTo(n, quotient, element)};
}

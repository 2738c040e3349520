//===- Elementwise.h - what the elementwise converters share ----*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_ELEMENTWISE_ELEMENTWISE_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_ELEMENTWISE_ELEMENTWISE_H

#include "forge/Conversion/OnnxToForge/Expr.h"
#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// Operands 0 and 1 for a broadcasting forge op. Before opset 7, attributes control the broadcast of operand 1.
std::pair<mlir::Value, mlir::Value> binaryOperands(OnnxNode &node, ForgeBuilder &builder);

/// Whether both values are constants, on which ops are evaluated at compile time.
inline bool areConstants(mlir::Value x, mlir::Value y) {
  return x.getDefiningOp<ConstantOp>() && y.getDefiningOp<ConstantOp>();
}
/// `compute()` if `x` and `y` are constants and it folds to one; null otherwise. Other results are not wrapped.
template <typename Compute>
mlir::Value foldedConstant(mlir::Value x, mlir::Value y, Compute compute) {
  mlir::Value result = areConstants(x, y) ? mlir::Value(compute()) : mlir::Value();
  return knownValue(result) ? result : mlir::Value();
}
/// Whether the device's arithmetic on `element` is that of ONNX: floats, and signed integers of 32 and 64 bits.
bool computesDirectly(mlir::Type element);
/// An integer operand as i32, the type in which narrow integers are computed.
Expr asInt32(Expr x);
/// Wraps the i32 `x` to the range of `element`. Unsigned 64 bits are refused. Unsigned 32 bits are correct only as
/// bits, so they are refused unless the result is only a graph output.
mlir::Value wrapTo(OnnxNode &node, Expr x, mlir::Type element);

/// `compute(x, y)` on integers: narrow types are computed in i32, and the result is wrapped.
template <typename Compute>
mlir::Value wrappingBinary(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value y, Compute compute) {
  if (!x || !y)
    return {};
  mlir::Type element = elementOf(x);
  auto direct = [&] { return compute(Expr(builder, x), Expr(builder, y)); };
  if (computesDirectly(element))
    return direct();
  if (mlir::Value folded = foldedConstant(x, y, direct); folded || node.failed())
    return folded;
  return wrapTo(node, compute(asInt32({builder, x}), asInt32({builder, y})), element);
}

/// An op with one operand and no attributes.
template <typename OpTy>
Values convertUnary(OnnxNode &node, ForgeBuilder &builder) {
  return {builder.create<OpTy>(node.input(0))};
}

/// A formula with one floating-point operand.
template <Expr (*Formula)(Expr)>
Values convertFormula(OnnxNode &node, ForgeBuilder &builder) {
  return {inFloat32({builder, node.input(0)}, Formula)};
}

// Converters that have files of their own.
ConverterFunction convertBitwiseAnd, convertBitwiseOr, convertBitwiseXor, convertBitwiseNot, convertBitShift;
ConverterFunction convertCast, convertCastLike, convertBitCast;
ConverterFunction convertPow;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_ELEMENTWISE_ELEMENTWISE_H

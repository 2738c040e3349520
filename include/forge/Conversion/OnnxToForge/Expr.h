//===- Expr.h - formulas over forge values ----------------------*- C++ -*-===//
//
// Lets a decomposition read like the formula it implements: `tanh(x) * cosh(x)`.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_EXPR_H
#define FORGE_CONVERSION_ONNXTOFORGE_EXPR_H

#include "forge/Conversion/OnnxToForge/ForgeBuilder.h"

namespace forge {

/// A value under construction. Null values propagate as in ForgeBuilder; numbers become rank-0 constants of the other
/// operand's element type; comparisons are boolean tensors.
class Expr {
public:
  Expr(ForgeBuilder &builder, mlir::Value value) : builder(&builder), value(value) {}
  operator mlir::Value() const { return value; }
  ForgeBuilder &getBuilder() const { return *builder; }
  explicit operator bool() const { return static_cast<bool>(value); }
  mlir::Type elementType() const { return value ? tensorType(value).getElementType() : mlir::Type(); }
  bool isFloat() const { return value && llvm::isa<mlir::FloatType>(elementType()); }

  /// The constant `number` in this value's element type.
  Expr number(double number) const { return {*builder, builder->scalarLike(value, number)}; }
  Expr cast(mlir::Type elementType) const { return {*builder, builder->cast(value, elementType)}; }
  template <typename OpTy>
  Expr unary() const {
    return {*builder, builder->create<OpTy>(value)};
  }
  template <typename OpTy>
  static Expr binary(Expr a, Expr b) {
    return {*a.builder, a.builder->create<OpTy>(a.value, b.value)};
  }
  template <typename OpTy>
  static Expr compare(Expr a, Expr b) {
    return {*a.builder, a.builder->compare<OpTy>(a.value, b.value)};
  }

private:
  ForgeBuilder *builder;
  mlir::Value value;
};

#define FORGE_EXPR_OPERATOR(symbol, kind, OpTy)                                                                        \
  inline Expr operator symbol(Expr a, Expr b) { return Expr::kind<OpTy>(a, b); }                                       \
  inline Expr operator symbol(Expr a, double b) { return Expr::kind<OpTy>(a, a.number(b)); }                           \
  inline Expr operator symbol(double a, Expr b) { return Expr::kind<OpTy>(b.number(a), b); }
FORGE_EXPR_OPERATOR(+, binary, AddOp)
FORGE_EXPR_OPERATOR(-, binary, SubtractOp)
FORGE_EXPR_OPERATOR(*, binary, MultiplyOp)
FORGE_EXPR_OPERATOR(/, binary, DivideOp)
FORGE_EXPR_OPERATOR(%, binary, RemainderOp)
FORGE_EXPR_OPERATOR(<, compare, LessOp)
FORGE_EXPR_OPERATOR(<=, compare, LessEqualOp)
FORGE_EXPR_OPERATOR(>, compare, GreaterOp)
FORGE_EXPR_OPERATOR(>=, compare, GreaterEqualOp)
FORGE_EXPR_OPERATOR(==, compare, EqualOp)
FORGE_EXPR_OPERATOR(!=, compare, NotEqualOp)
#undef FORGE_EXPR_OPERATOR

inline Expr operator-(Expr x) { return x * -1; }
inline Expr abs(Expr x) { return x.unary<AbsOp>(); }
inline Expr exp(Expr x) { return x.unary<ExpOp>(); }
inline Expr sqrt(Expr x) { return x.unary<SqrtOp>(); }
inline Expr tanh(Expr x) { return x.unary<TanhOp>(); }
inline Expr atan(Expr x) { return x.unary<AtanOp>(); }
inline Expr sigmoid(Expr x) { return x.unary<SigmoidOp>(); }
inline Expr max(Expr a, Expr b) { return Expr::binary<MaxOp>(a, b); }
inline Expr max(Expr a, double b) { return max(a, a.number(b)); }
inline Expr min(Expr a, Expr b) { return Expr::binary<MinOp>(a, b); }
inline Expr min(Expr a, double b) { return min(a, a.number(b)); }
inline Expr bitwiseAnd(Expr a, Expr b) { return Expr::binary<BitwiseAndOp>(a, b); }
inline Expr bitwiseAnd(Expr a, double b) { return bitwiseAnd(a, a.number(b)); }
/// `x` where the condition holds, else `y`. What is not taken cannot spoil the result, not even a NaN.
inline Expr select(Expr condition, Expr x, Expr y) {
  return {condition.getBuilder(),
          condition.getBuilder().create<WhereOp>(mlir::Value(condition), mlir::Value(x), mlir::Value(y))};
}
inline Expr select(Expr condition, Expr x, double y) { return select(condition, x, x.number(y)); }
inline Expr select(Expr condition, double x, Expr y) { return select(condition, y.number(x), y); }

/// "and" and "or" of boolean tensors.
Expr bothOf(Expr a, Expr b);
Expr eitherOf(Expr a, Expr b);
/// The natural logarithm, exact also below 1e-3, where forge.log's own 1e-10 would show; log(0) is -inf.
Expr log(Expr x);
/// log(1 + x) for x > -1, accurate around 0.
Expr log1p(Expr x);
/// log(1 + exp(x)) without overflow.
Expr softplus(Expr x);
/// The largest integer not above a floating-point `x`.
Expr floor(Expr x);

/// Calls `formula` on `x`, in f32 for the 16-bit floats, where intermediate results would lose digits or overflow.
template <typename Formula>
Expr inFloat32(Expr x, Formula formula) {
  if (!x || (!x.elementType().isF16() && !x.elementType().isBF16()))
    return formula(x);
  return formula(x.cast(x.getBuilder().getBuilder().getF32Type())).cast(x.elementType());
}

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_EXPR_H

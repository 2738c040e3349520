//===- Expr.h - formulas over forge values ----------------------*- C++ -*-===//
//
// Lets a decomposition read like the formula it implements: `tanh(x) * cosh(x)`.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_CONVERSION_ONNXTOFORGE_EXPR_H
#define FORGE_CONVERSION_ONNXTOFORGE_EXPR_H

#include "forge/Conversion/OnnxToForge/ForgeBuilder.h"

namespace forge {

/// A value under construction. Null values propagate as in ForgeBuilder. A double operand becomes a rank-0 constant of
/// the other operand's element type. Comparisons give boolean tensors.
class Expr {
public:
  Expr(ForgeBuilder &builder, mlir::Value value) : builder(&builder), value(value) {}
  operator mlir::Value() const { return value; }
  ForgeBuilder &getBuilder() const { return *builder; }
  explicit operator bool() const { return static_cast<bool>(value); }
  mlir::Type elementType() const { return value ? tensorType(value).getElementType() : mlir::Type(); }
  bool isFloat() const { return value && llvm::isa<mlir::FloatType>(elementType()); }

  /// A scalar constant of this value's element type.
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
/// Elementwise `condition ? x : y`. NaN and infinity in the operand that is not selected do not reach the result.
inline Expr select(Expr condition, Expr x, Expr y) {
  return {condition.getBuilder(),
          condition.getBuilder().create<WhereOp>(mlir::Value(condition), mlir::Value(x), mlir::Value(y))};
}
inline Expr select(Expr condition, Expr x, double y) { return select(condition, x, x.number(y)); }
inline Expr select(Expr condition, double x, Expr y) { return select(condition, y.number(x), y); }

/// "and" and "or" of boolean tensors.
Expr bothOf(Expr a, Expr b);
Expr eitherOf(Expr a, Expr b);
/// The natural logarithm. forge.log adds 1e-10 to its operand; this is accurate for small operands too. log(0) is -inf.
Expr log(Expr x);
/// log(1 + x) for x > -1, accurate around 0.
Expr log1p(Expr x);
/// log(1 + exp(x)) without overflow.
Expr softplus(Expr x);
/// Rounds a floating-point `x` down to an integer.
Expr floor(Expr x);

/// Applies `formula` to `x`. 16-bit floats are computed in f32, because intermediate results could overflow or round.
template <typename Formula>
Expr inFloat32(Expr x, Formula formula) {
  if (!x || (!x.elementType().isF16() && !x.elementType().isBF16()))
    return formula(x);
  return formula(x.cast(x.getBuilder().getBuilder().getF32Type())).cast(x.elementType());
}

} // namespace forge

#endif // FORGE_CONVERSION_ONNXTOFORGE_EXPR_H

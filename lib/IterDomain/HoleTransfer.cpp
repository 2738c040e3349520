//===- HoleTransfer.cpp - holes of a result from those of the operands ----===//

#include "forge/IterDomain/HoleState.h"

#include <cmath>
#include <limits>

namespace forge::itd {

HoleVal mapHoles(const HoleVal &value, llvm::function_ref<double(double)> function, bool keepsFinite) {
  if (value.kind == HoleVal::None)
    return HoleVal::none();
  if (value.kind == HoleVal::Const)
    return HoleVal::of(function(value.constant));
  return value.isFinite() && keepsFinite ? HoleVal::finite() : HoleVal::undef();
}

HoleVal mapHoles(const HoleVal &a, const HoleVal &b, llvm::function_ref<double(double, double)> function,
                 bool keepsFinite) {
  if (a.kind == HoleVal::None || b.kind == HoleVal::None)
    return HoleVal::none();
  if (a.kind == HoleVal::Const && b.kind == HoleVal::Const)
    return HoleVal::of(function(a.constant, b.constant));
  return a.isFinite() && b.isFinite() && keepsFinite ? HoleVal::finite() : HoleVal::undef();
}

HoleState mapHoles(const HoleState &state, llvm::function_ref<double(double)> function, bool keepsFinite) {
  auto map = [&](const HoleVal &value) { return mapHoles(value, function, keepsFinite); };
  return {map(state.rows), map(state.cols), map(state.corner)};
}

HoleState mapHoles(const HoleState &a, const HoleState &b, llvm::function_ref<double(double, double)> function,
                   bool keepsFinite) {
  auto map = [&](const HoleVal &x, const HoleVal &y) { return mapHoles(x, y, function, keepsFinite); };
  return {map(a.rows, b.rows), map(a.cols, b.cols), map(a.corner, b.corner)};
}

HoleState transposeHoles(const HoleState &state) { return {state.cols, state.rows, state.corner}; }

/// Of the tail of a row whose valid items are `row`.
static HoleVal softmaxTail(const HoleVal &row, const HoleVal &tail) {
  if (tail.kind == HoleVal::None)
    return tail;
  bool vanishes = tail.kind == HoleVal::Const && tail.constant == -std::numeric_limits<double>::infinity();
  if (vanishes && row.isFinite())
    return HoleVal::of(0);
  return tail.isFinite() && row.isFinite() ? HoleVal::finite() : HoleVal::undef();
}

HoleState softmaxHoles(const HoleState &state) {
  HoleState result;
  result.cols = softmaxTail(HoleVal::finite(), state.cols);
  result.corner = softmaxTail(state.rows, state.corner);
  // Between 0 and 1, if no infinity or NaN is in the row.
  bool finiteRow = result.corner.kind == HoleVal::None || result.corner.isFinite();
  result.rows = state.rows.kind == HoleVal::None     ? HoleVal::none()
                : state.rows.isFinite() && finiteRow ? HoleVal::finite()
                                                     : HoleVal::undef();
  return result;
}

namespace {

/// Whether a sum of products is zero, whatever the other factor is: one factor 0, the other finite, or no product.
bool productsVanish(const HoleVal &a, const HoleVal &b) {
  if (a.kind == HoleVal::None || b.kind == HoleVal::None)
    return true;
  return (a.isZero() && b.isFinite()) || (b.isZero() && a.isFinite());
}

} // namespace

bool matmulHolesSafe(const HoleState &lhs, const HoleState &rhs) { return productsVanish(lhs.cols, rhs.rows); }

HoleState matmulHoles(const HoleState &lhs, const HoleState &rhs) {
  const HoleVal valid = HoleVal::finite();
  // Each region is a product over the valid part of the contracted axis and one over its tail.
  auto region = [](const HoleVal &exists, bool vanishes) {
    return exists.kind == HoleVal::None ? HoleVal::none() : vanishes ? HoleVal::of(0) : HoleVal::undef();
  };
  bool rows = productsVanish(lhs.rows, valid) && productsVanish(lhs.corner, rhs.rows);
  bool cols = productsVanish(valid, rhs.cols) && productsVanish(lhs.cols, rhs.corner);
  bool corner = productsVanish(lhs.rows, rhs.cols) && productsVanish(lhs.corner, rhs.corner);
  HoleState result{region(lhs.rows, rows), region(rhs.cols, cols), region(lhs.rows, corner)};
  if (rhs.cols.kind == HoleVal::None)
    result.corner = HoleVal::none();
  return result;
}

} // namespace forge::itd

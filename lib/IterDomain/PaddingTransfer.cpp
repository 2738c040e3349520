//===- PaddingTransfer.cpp - padding of results from that of operands -----===//

#include "forge/IterDomain/PaddingState.h"

#include <cmath>
#include <limits>

namespace forge::itd {

PaddingValue mapPadding(const PaddingValue &value, llvm::function_ref<double(double)> function, bool keepsFinite) {
  if (value.kind == PaddingValue::None)
    return PaddingValue::none();
  if (value.kind == PaddingValue::Const)
    return PaddingValue::of(function(value.constant));
  return value.isFinite() && keepsFinite ? PaddingValue::finite() : PaddingValue::undef();
}

PaddingValue mapPadding(const PaddingValue &a, const PaddingValue &b,
                        llvm::function_ref<double(double, double)> function, bool keepsFinite) {
  if (a.kind == PaddingValue::None || b.kind == PaddingValue::None)
    return PaddingValue::none();
  if (a.kind == PaddingValue::Const && b.kind == PaddingValue::Const)
    return PaddingValue::of(function(a.constant, b.constant));
  return a.isFinite() && b.isFinite() && keepsFinite ? PaddingValue::finite() : PaddingValue::undef();
}

PaddingState mapPadding(const PaddingState &state, llvm::function_ref<double(double)> function, bool keepsFinite) {
  auto map = [&](const PaddingValue &value) { return mapPadding(value, function, keepsFinite); };
  return {map(state.rows), map(state.cols), map(state.corner)};
}

PaddingState mapPadding(const PaddingState &a, const PaddingState &b,
                        llvm::function_ref<double(double, double)> function, bool keepsFinite) {
  auto map = [&](const PaddingValue &x, const PaddingValue &y) { return mapPadding(x, y, function, keepsFinite); };
  return {map(a.rows, b.rows), map(a.cols, b.cols), map(a.corner, b.corner)};
}

PaddingState transposePadding(const PaddingState &state) { return {state.cols, state.rows, state.corner}; }

/// The softmax of the tail of a row whose valid elements are in state `row`.
static PaddingValue softmaxTail(const PaddingValue &row, const PaddingValue &tail) {
  if (tail.kind == PaddingValue::None)
    return tail;
  bool vanishes = tail.kind == PaddingValue::Const && tail.constant == -std::numeric_limits<double>::infinity();
  if (vanishes && row.isFinite())
    return PaddingValue::of(0);
  return tail.isFinite() && row.isFinite() ? PaddingValue::finite() : PaddingValue::undef();
}

PaddingState softmaxPadding(const PaddingState &state) {
  PaddingState result;
  result.cols = softmaxTail(PaddingValue::finite(), state.cols);
  result.corner = softmaxTail(state.rows, state.corner);
  // The results are between 0 and 1 if the row has no infinity or NaN.
  bool finiteRow = result.corner.kind == PaddingValue::None || result.corner.isFinite();
  result.rows = state.rows.kind == PaddingValue::None ? PaddingValue::none()
                : state.rows.isFinite() && finiteRow  ? PaddingValue::finite()
                                                      : PaddingValue::undef();
  return result;
}

namespace {

/// Whether the sum of products of two regions is zero: one is 0 and the other is finite, or there are no products.
bool productsVanish(const PaddingValue &a, const PaddingValue &b) {
  if (a.kind == PaddingValue::None || b.kind == PaddingValue::None)
    return true;
  return (a.isZero() && b.isFinite()) || (b.isZero() && a.isFinite());
}

} // namespace

bool isMatmulPaddingSafe(const PaddingState &lhs, const PaddingState &rhs) {
  return productsVanish(lhs.cols, rhs.rows);
}

PaddingState matmulPadding(const PaddingState &lhs, const PaddingState &rhs) {
  const PaddingValue valid = PaddingValue::finite();
  // Each region of the result is a sum over the valid part of the contracted axis and one over its tail.
  auto region = [](const PaddingValue &exists, bool vanishes) {
    return exists.kind == PaddingValue::None ? PaddingValue::none()
           : vanishes                        ? PaddingValue::of(0)
                                             : PaddingValue::undef();
  };
  bool rows = productsVanish(lhs.rows, valid) && productsVanish(lhs.corner, rhs.rows);
  bool cols = productsVanish(valid, rhs.cols) && productsVanish(lhs.cols, rhs.corner);
  bool corner = productsVanish(lhs.rows, rhs.cols) && productsVanish(lhs.corner, rhs.corner);
  PaddingState result{region(lhs.rows, rows), region(rhs.cols, cols), region(lhs.rows, corner)};
  if (rhs.cols.kind == PaddingValue::None)
    result.corner = PaddingValue::none();
  return result;
}

} // namespace forge::itd

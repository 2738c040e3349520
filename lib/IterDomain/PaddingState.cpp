//===- PaddingState.cpp - padding, what consumers require, and results ----===//

#include "forge/IterDomain/PaddingState.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <limits>

namespace forge::itd {

static constexpr double kInf = std::numeric_limits<double>::infinity();

static std::string constantString(double value) {
  if (std::isinf(value))
    return value < 0 ? "-inf" : "+inf";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

PaddingValue PaddingValue::of(double constant) {
  return std::isnan(constant) ? undef() : PaddingValue{Const, constant};
}

bool PaddingValue::isFinite() const {
  return kind == None || kind == Finite || (kind == Const && std::isfinite(constant));
}

bool PaddingValue::contains(double value) const {
  switch (kind) {
  case None: return false;
  case Const: return value == constant;
  case Finite: return std::isfinite(value);
  case Undef: return true;
  }
  llvm_unreachable("unknown kind");
}

bool PaddingValue::implies(const PaddingValue &other) const {
  if (kind == None || other.kind == Undef)
    return true;
  if (other.kind == Finite)
    return isFinite();
  return kind == Const && other.kind == Const && constant == other.constant;
}

std::string PaddingValue::str() const {
  std::string text = kind == None     ? "none"
                     : kind == Const  ? constantString(constant)
                     : kind == Finite ? "finite"
                                      : "undef";
  return live ? "live " + text : text;
}

bool operator==(const PaddingValue &a, const PaddingValue &b) {
  return a.kind == b.kind && a.live == b.live && (a.kind != PaddingValue::Const || a.constant == b.constant);
}

PaddingValue join(const PaddingValue &a, const PaddingValue &b) {
  PaddingValue result = a.implies(b)                   ? b
                        : b.implies(a)                 ? a
                        : a.isFinite() && b.isFinite() ? PaddingValue::finite()
                                                       : PaddingValue();
  result.live = a.live || b.live;
  return result;
}

PaddingState PaddingState::all(PaddingValue value, llvm::ArrayRef<int64_t> shape, Tile tile) {
  int64_t height = shape.size() < 2 ? 1 : shape[shape.size() - 2], width = shape.empty() ? 1 : shape.back();
  bool rowTail = height % tile.height != 0, colTail = width % tile.width != 0;
  PaddingValue none = PaddingValue::none();
  return {rowTail ? value : none, colTail ? value : none, rowTail && colTail ? value : none};
}

std::string PaddingState::str() const {
  return "rows " + rows.str() + ", cols " + cols.str() + ", corner " + corner.str();
}

bool operator==(const PaddingState &a, const PaddingState &b) {
  return a.rows == b.rows && a.cols == b.cols && a.corner == b.corner;
}

PaddingState join(const PaddingState &a, const PaddingState &b) {
  return {join(a.rows, b.rows), join(a.cols, b.cols), join(a.corner, b.corner)};
}

namespace {

struct ConsumerEntry {
  Consumer consumer;
  llvm::StringRef name;
  FillRequirement requirement;
};

using F = FillRequirement;

// For idempotent reductions, whose result does not change if an element occurs twice.
constexpr F::Kind kIdempotent = F::FillOrReplicate;

const ConsumerEntry kConsumers[] = {
    {Consumer::Elementwise, "elementwise", {F::DontCare}},
    {Consumer::IntegerDivision, "integer_division", {F::NonZero}},
    {Consumer::Sum, "sum", {F::Fill, 0}},
    {Consumer::L1, "l1", {F::Fill, 0}},
    {Consumer::L2, "l2", {F::Fill, 0}},
    {Consumer::SumSquare, "sum_square", {F::Fill, 0}},
    {Consumer::Mean, "mean", {F::Fill, 0, /*logicalCount=*/true}},
    {Consumer::Prod, "prod", {F::Fill, 1}},
    {Consumer::Max, "max", {kIdempotent, -kInf}},
    {Consumer::ArgMax, "argmax", {F::Fill, -kInf}},
    {Consumer::TopKLargest, "topk_largest", {F::Fill, -kInf}},
    {Consumer::Min, "min", {kIdempotent, kInf}},
    {Consumer::ArgMin, "argmin", {F::Fill, kInf}},
    {Consumer::TopKSmallest, "topk_smallest", {F::Fill, kInf}},
    {Consumer::Any, "any", {kIdempotent, 0}},
    {Consumer::All, "all", {kIdempotent, 1}},
    {Consumer::LogSumExp, "logsumexp", {F::Fill, -kInf}},
    {Consumer::Softmax, "softmax", {F::Fill, -kInf}},
    {Consumer::LogSoftmax, "log_softmax", {F::Fill, -kInf}},
    {Consumer::LayerNorm, "layer_norm", {F::Fill, 0, /*logicalCount=*/true, /*refill=*/true}},
    {Consumer::Var, "var", {F::NoneExists}},
    {Consumer::Median, "median", {F::NoneExists}},
    {Consumer::Welford, "welford", {F::NoneExists}},
    {Consumer::CumSum, "cumsum", {F::DontCare}},
    {Consumer::CumSumReverse, "cumsum_reverse", {F::Fill, 0}},
    {Consumer::Matmul, "matmul", {F::OneSideZero}},
    {Consumer::CacheWrite, "cache_write", {F::Fill, 0}},
};

} // namespace

std::optional<Consumer> consumer(llvm::StringRef name) {
  const auto *found = llvm::find_if(kConsumers, [&](const ConsumerEntry &entry) { return entry.name == name; });
  return found == std::end(kConsumers) ? std::nullopt : std::optional(found->consumer);
}

std::string FillRequirement::str() const {
  switch (kind) {
  case DontCare: return "dont-care";
  case Fill:
  case FillOrReplicate: return constantString(want);
  case ReplicateOrCast: return "replicate-or-cast";
  case NonZero: return "non-zero";
  case OneSideZero: return "one-side-zero";
  case NoneExists: return "none-exists";
  }
  llvm_unreachable("unknown kind");
}

FillRequirement requiredFill(Consumer consumer, const ElementFormat &format) {
  FillRequirement requirement =
      llvm::find_if(kConsumers, [&](const ConsumerEntry &entry) { return entry.consumer == consumer; })->requirement;
  // A zero never changes the shared exponent of a group. A one may change it, and an infinity destroys the group.
  bool isFill = requirement.kind == F::Fill || requirement.kind == F::FillOrReplicate;
  if (format.isBlockFloat() && isFill && requirement.want != 0)
    requirement.kind = F::ReplicateOrCast;
  return requirement;
}

bool satisfies(const PaddingValue &value, const FillRequirement &requirement) {
  if (value.kind == PaddingValue::None)
    return true;
  switch (requirement.kind) {
  case F::DontCare: return true;
  case F::Fill:
  case F::FillOrReplicate: return value.kind == PaddingValue::Const && value.constant == requirement.want;
  case F::NonZero: return value.kind == PaddingValue::Const && value.isFinite() && value.constant != 0;
  case F::OneSideZero:
  case F::ReplicateOrCast:
  case F::NoneExists: return false;
  }
  llvm_unreachable("unknown kind");
}

PaddingState mapPadding(llvm::ArrayRef<PaddingState> operands,
                        llvm::function_ref<double(llvm::ArrayRef<double>)> function, bool keepsFinite) {
  auto map = [&](PaddingValue PaddingState::*region) {
    auto values = llvm::map_to_vector(operands, [&](const PaddingState &state) { return state.*region; });
    if (llvm::any_of(values, [](const PaddingValue &value) { return value.kind == PaddingValue::None; }))
      return PaddingValue::none();
    if (llvm::all_of(values, [](const PaddingValue &value) { return value.kind == PaddingValue::Const; }))
      return PaddingValue::of(
          function(llvm::map_to_vector(values, [](const PaddingValue &value) { return value.constant; })));
    bool areFinite = llvm::all_of(values, [](const PaddingValue &value) { return value.isFinite(); });
    return areFinite && keepsFinite ? PaddingValue::finite() : PaddingValue::undef();
  };
  return {map(&PaddingState::rows), map(&PaddingState::cols), map(&PaddingState::corner)};
}

PaddingState transposePadding(const PaddingState &state) { return {state.cols, state.rows, state.corner}; }

/// The softmax of the tail of a row whose valid elements are in state `row`.
static PaddingValue softmaxTail(const PaddingValue &row, const PaddingValue &tail) {
  if (tail.kind == PaddingValue::None)
    return tail;
  bool vanishes = tail.kind == PaddingValue::Const && tail.constant == -kInf;
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

/// Whether the sum of products of two regions is zero: one is 0 and the other is finite, or there are no products.
static bool productsVanish(const PaddingValue &a, const PaddingValue &b) {
  if (a.kind == PaddingValue::None || b.kind == PaddingValue::None)
    return true;
  return (a.isZero() && b.isFinite()) || (b.isZero() && a.isFinite());
}

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

//===- IterGraph.cpp - iteration domains and their expressions ------------===//

#include "forge/IterDomain/IterGraph.h"

#include "Arithmetic.h"
#include "forge/IterDomain/Rules.h"

#include <numeric>

namespace forge::itd {

Extent Extent::dynamic(int64_t divisor) {
  assert(divisor > 0);
  Extent extent(kDynamic);
  extent.divisor = divisor;
  return extent;
}

Tri Extent::divisibleBy(int64_t factor) const {
  if (isStatic())
    return value % factor == 0 ? Tri::Yes : Tri::No;
  return divisor % factor == 0 ? Tri::Yes : Tri::Unknown;
}

std::string Extent::str() const {
  if (isStatic())
    return std::to_string(value);
  return divisor == 1 ? "?" : "?x" + std::to_string(divisor);
}

static Extent dividedUp(Extent extent, int64_t factor) {
  if (extent.isStatic())
    return rules::quotient(extent.value, factor);
  return Extent::dynamic(extent.divisor % factor == 0 ? extent.divisor / factor : 1);
}

static llvm::Expected<Extent> multiplied(Extent a, Extent b) {
  if (a.is(0) || b.is(0))
    return 0;
  if (a.isStatic() && b.isStatic()) {
    if (std::optional<int64_t> value = llvm::checkedMul(a.value, b.value))
      return *value;
    return error("the merge of extents " + a.str() + " and " + b.str() + " exceeds 64 bits");
  }
  int64_t divisorA = a.isStatic() ? a.value : a.divisor;
  int64_t divisorB = b.isStatic() ? b.value : b.divisor;
  // If the product overflows, each factor alone is a divisor too.
  return Extent::dynamic(llvm::checkedMul(divisorA, divisorB).value_or(std::max(divisorA, divisorB)));
}

static llvm::Expected<Extent> resized(Extent extent, int64_t left, int64_t right) {
  __int128 growth = static_cast<__int128>(left) + right;
  if (!extent.isStatic()) {
    auto remainder = static_cast<int64_t>((growth < 0 ? -growth : growth) % extent.divisor);
    return Extent::dynamic(std::gcd(extent.divisor, remainder));
  }
  __int128 result = extent.value + growth;
  if (result < 0)
    return error("resize by " + llvm::Twine(left) + " and " + llvm::Twine(right) + " leaves a negative extent of " +
                 extent.str());
  if (result > std::numeric_limits<int64_t>::max())
    return error("the resize of extent " + extent.str() + " exceeds 64 bits");
  return static_cast<int64_t>(result);
}

/// The names of swizzles, in the order of SwizzleKind.
static constexpr llvm::StringLiteral kSwizzles[] = {"xor", "zshape", "cyclic"};

llvm::StringRef name(SwizzleKind kind) { return kSwizzles[static_cast<size_t>(kind)]; }

std::optional<SwizzleKind> swizzleKind(llvm::StringRef name) {
  const auto *found = llvm::find(kSwizzles, name);
  return found == std::end(kSwizzles) ? std::nullopt : std::optional(SwizzleKind(found - kSwizzles));
}

llvm::Error IterGraph::usable(llvm::ArrayRef<IdRef> inputs, size_t outputs) const {
  for (IdRef id : inputs) {
    if (id >= ids.size())
      return error("there is no iteration domain I" + llvm::Twine(id));
    if (ids[id].use)
      return error("I" + llvm::Twine(id) + " has a use already");
  }
  if (ids.size() + outputs > kMaxIds)
    return error("a schedule has at most " + llvm::Twine(kMaxIds) + " iteration domains");
  return llvm::Error::success();
}

void IterGraph::consume(llvm::ArrayRef<IdRef> inputs) {
  for (IdRef id : inputs)
    ids[id].use = expressions.size();
}

IdRef IterGraph::define(Extent extent) {
  ids.push_back({extent, expressions.size(), std::nullopt});
  return ids.size() - 1;
}

llvm::Expected<IdRef> IterGraph::root(Extent extent) {
  if (extent.isStatic() && extent.value < 0)
    return error("expected an extent that is not negative, but got " + extent.str());
  if (!expressions.empty())
    return error("roots come before expressions");
  FORGE_RETURN_IF_ERROR(usable({}, 1));
  ids.push_back({extent, std::nullopt, std::nullopt});
  return ids.size() - 1;
}

llvm::Expected<std::pair<IdRef, IdRef>> IterGraph::split(IdRef id, int64_t factor, bool inner) {
  FORGE_RETURN_IF_ERROR(usable(id, 2));
  if (factor < 1)
    return error("expected a positive split factor, but got " + llvm::Twine(factor));
  consume(id);
  auto [outer, inside] = rules::splitExtents(dividedUp(extent(id), factor), factor, inner);
  IdRef outerId = define(outer);
  IdRef innerId = define(inside);
  expressions.push_back(Split{id, outerId, innerId, factor, inner});
  return std::pair(outerId, innerId);
}

llvm::Expected<IdRef> IterGraph::merge(IdRef outer, IdRef inner) {
  if (outer == inner)
    return error("cannot merge I" + llvm::Twine(outer) + " with itself");
  FORGE_RETURN_IF_ERROR(usable({outer, inner}, 1));
  FORGE_ASSIGN_OR_RETURN(Extent merged, multiplied(extent(outer), extent(inner)));
  consume({outer, inner});
  IdRef out = define(merged);
  expressions.push_back(Merge{outer, inner, out});
  return out;
}

llvm::Expected<IdRef> IterGraph::resize(IdRef id, int64_t left, int64_t right) {
  FORGE_RETURN_IF_ERROR(usable(id, 1));
  FORGE_ASSIGN_OR_RETURN(Extent size, resized(extent(id), left, right));
  consume(id);
  IdRef out = define(size);
  expressions.push_back(Resize{id, out, left, right});
  return out;
}

llvm::Expected<std::pair<IdRef, IdRef>> IterGraph::swizzle(SwizzleKind kind, IdRef x, IdRef y) {
  if (x == y)
    return error("cannot swizzle I" + llvm::Twine(x) + " with itself");
  FORGE_RETURN_IF_ERROR(usable({x, y}, 2));
  Extent extentX = extent(x), extentY = extent(y);
  if (rules::isClosed(kind, extentX, extentY) != Tri::Yes)
    return error("swizzle " + name(kind) + " is not closed on " + extentX.str() + "x" + extentY.str());
  consume({x, y});
  IdRef outX = define(extentX);
  IdRef outY = define(extentY);
  expressions.push_back(Swizzle{x, y, outX, outY, kind});
  return std::pair(outX, outY);
}

Tri isDivisible(const IterGraph &graph, const Split &split) {
  return rules::isDivisible(graph.extent(split.in), split.factor);
}

std::optional<IdRef> paddingCreatingInput(const IterGraph &graph, const Expr &expr) {
  if (const auto *split = std::get_if<Split>(&expr))
    return isDivisible(graph, *split) == Tri::Yes ? std::nullopt : std::optional(split->in);
  if (const auto *resize = std::get_if<Resize>(&expr))
    return rules::resizeCreatesPadding(resize->left, resize->right) ? std::optional(resize->in) : std::nullopt;
  return std::nullopt;
}

} // namespace forge::itd

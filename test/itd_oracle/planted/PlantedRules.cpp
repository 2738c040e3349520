//===- PlantedRules.cpp - wrong rules in the library itself ---------------===//
//
// Defines every function of forge/IterDomain/Rules.h, so that the linker takes these and leaves those of the library:
// forge-itd-planted is the product's own code but for one rule.
//
//===----------------------------------------------------------------------===//

#include "PlantedRules.h"

#include "llvm/ADT/STLExtras.h"

#include <iterator>

// The right rules, in a namespace of another name.
#define rules right
#include "../../../lib/IterDomain/Rules.cpp"
#undef rules

namespace forge::itd::planted {

enum Error : size_t {
  SplitRoundsDown,
  OuterSplitLikeInner,
  OuterSplitScalesByFactor,
  MergeTruncates,
  ResizeShiftsWrongWay,
  CyclicSubtracts,
  ZShapeTurnsEvenRows,
  XorClosedOnSquares,
  DivisibleIfLarge,
  OnlyLeftResizeCreatesPadding,
  EqualMapsAreEqual,
  InnerNeverGuarded,
  InnerGuardTooLate,
  ResizeNeverGuarded,
  XorNeverGuarded,
  InnerAlwaysGuarded,
  None,
};

// In the order of the enumerators.
static constexpr llvm::StringLiteral kNames[] = {
    "a split rounds down",
    "an outer split has the extents of an inner one",
    "an outer split scales by its factor",
    "the outer index of a merge truncates towards zero",
    "a resize shifts the wrong way",
    "a cyclic swizzle subtracts",
    "a z-shape turns the even rows",
    "xor is closed on squares",
    "a split is divisible if its extent is at least the factor",
    "only a resize to the left makes holes",
    "equal maps are equal schedules",
    "the inner part of a split needs no guard",
    "the inner part needs no guard one element too early",
    "a resize never needs a guard",
    "an xor swizzle needs no guard",
    "the inner part is always guarded",
};
static_assert(std::size(kNames) == None);

static Error current = None;

llvm::ArrayRef<llvm::StringLiteral> names() { return kNames; }

bool plant(llvm::StringRef name) {
  const auto *found = llvm::find(kNames, name);
  current = static_cast<Error>(found - std::begin(kNames));
  return current != None;
}

static bool has(Error error) { return current == error; }

} // namespace forge::itd::planted

namespace forge::itd::rules {

using namespace planted;
using right::Wide;

int64_t quotient(int64_t extent, int64_t factor) {
  return has(SplitRoundsDown) ? extent / factor : right::quotient(extent, factor);
}

std::pair<Extent, Extent> splitExtents(Extent quotient, int64_t factor, bool inner) {
  return right::splitExtents(quotient, factor, inner || has(OuterSplitLikeInner));
}

Tri isDivisible(Extent extent, int64_t factor) {
  if (has(DivisibleIfLarge) && extent.isStatic())
    return extent.value >= factor ? Tri::Yes : Tri::No;
  return right::isDivisible(extent, factor);
}

bool resizeCreatesPadding(int64_t left, int64_t right) {
  return right::resizeCreatesPadding(left, has(OnlyLeftResizeCreatesPadding) ? 0 : right);
}

Tri isClosed(SwizzleKind kind, Extent extentX, Extent extentY) {
  if (has(XorClosedOnSquares) && kind == SwizzleKind::Xor)
    return extentX == extentY ? Tri::Yes : Tri::No;
  return right::isClosed(kind, extentX, extentY);
}

std::optional<int64_t> splitIndex(int64_t outer, int64_t inner, int64_t outerExtent, int64_t innerExtent) {
  int64_t width = has(OuterSplitScalesByFactor) ? std::min(outerExtent, innerExtent) : innerExtent;
  return right::splitIndex(outer, inner, outerExtent, width);
}

Wide mergeOuter(Wide index, int64_t width) {
  return has(MergeTruncates) ? index / width : right::mergeOuter(index, width);
}

std::optional<int64_t> resizeIndex(int64_t out, int64_t left) {
  return has(ResizeShiftsWrongWay) ? llvm::checkedAdd(out, left) : right::resizeIndex(out, left);
}

int64_t swizzled(SwizzleKind kind, int64_t x, int64_t y, int64_t extentY) {
  if (has(CyclicSubtracts) && kind == SwizzleKind::Cyclic && extentY > 0)
    return static_cast<int64_t>(floorMod(Wide(y) - x, Wide(extentY)));
  if (has(ZShapeTurnsEvenRows) && kind == SwizzleKind::ZShape)
    return right::swizzled(kind, x ^ 1, y, extentY);
  return right::swizzled(kind, x, y, extentY);
}

bool isBeyond(Wide closest, int64_t extent) { return right::isBeyond(closest + has(InnerGuardTooLate), extent); }

bool isInnerDeferred(bool leavesAncestor) {
  if (has(InnerNeverGuarded) || has(InnerAlwaysGuarded))
    return has(InnerNeverGuarded);
  return right::isInnerDeferred(leavesAncestor);
}

bool isResizeDeferred(int64_t growth) { return has(ResizeNeverGuarded) || right::isResizeDeferred(growth); }

bool isSwizzleDeferred(SwizzleKind kind) { return has(XorNeverGuarded) || right::isSwizzleDeferred(kind); }

// The library drops guards that are not needed whoever asks for them, so this error needs both.
bool dropsRedundantGuards() { return !has(InnerAlwaysGuarded) && right::dropsRedundantGuards(); }

Equiv equality(bool paddingDiffers) { return right::equality(paddingDiffers && !has(EqualMapsAreEqual)); }

} // namespace forge::itd::rules

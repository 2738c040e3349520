//===- Rules.cpp - semantics of split, merge, resize, swizzle -------------===//

#include "forge/IterDomain/Rules.h"

#include "Arithmetic.h"
#include "llvm/Support/MathExtras.h"

namespace forge::itd::rules {

int64_t quotient(int64_t extent, int64_t factor) { return ceilDiv(extent, factor); }

std::pair<Extent, Extent> splitExtents(Extent quotient, int64_t factor, bool inner) {
  return inner ? std::pair(quotient, Extent(factor)) : std::pair(Extent(factor), quotient);
}

Tri isDivisible(Extent extent, int64_t factor) { return extent.divisibleBy(factor); }

bool resizeCreatesPadding(int64_t left, int64_t right) { return left > 0 || right > 0; }

Tri isClosed(SwizzleKind kind, Extent extentX, Extent extentY) {
  if (kind != SwizzleKind::Xor || extentX.is(0) || extentX.is(1) || extentY.is(0))
    return Tri::Yes;
  if (!extentX.isStatic())
    return Tri::Unknown;
  uint64_t power = llvm::PowerOf2Ceil(static_cast<uint64_t>(extentX.value));
  // 2^63 does not fit int64_t; it only divides an extent of 0.
  if (power > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return extentY.isStatic() ? Tri::No : Tri::Unknown;
  return extentY.divisibleBy(static_cast<int64_t>(power));
}

std::optional<int64_t> splitIndex(int64_t outer, int64_t inner, int64_t, int64_t innerExtent) {
  return llvm::checkedMulAdd(outer, innerExtent, inner);
}

Wide mergeOuter(Wide index, int64_t width) { return floorDiv(index, Wide(width)); }

std::optional<int64_t> resizeIndex(int64_t out, int64_t left) { return llvm::checkedSub(out, left); }

int64_t swizzled(SwizzleKind kind, int64_t x, int64_t y, int64_t extentY) {
  if (extentY == 0)
    return y;
  switch (kind) {
  case SwizzleKind::Xor: return x ^ y;
  case SwizzleKind::ZShape: {
    if ((x & 1) == 0)
      return y;
    // At padding y may be so large that its mirror image overflows 64 bits.
    Wide mirrored = Wide(extentY) - 1 - y;
    return static_cast<int64_t>(std::min(mirrored, Wide(std::numeric_limits<int64_t>::max())));
  }
  case SwizzleKind::Cyclic: return static_cast<int64_t>(floorMod(Wide(x) + y, Wide(extentY)));
  }
  llvm_unreachable("unknown swizzle");
}

bool isBeyond(Wide closest, int64_t extent) { return closest >= extent; }
bool isInnerDeferred(bool leavesAncestor) { return leavesAncestor; }
bool isResizeDeferred(int64_t growth) { return growth >= 0; }
bool isSwizzleDeferred(SwizzleKind kind) { return kind != SwizzleKind::Xor; }
bool dropsRedundantGuards() { return true; }
Equiv equality(bool paddingDiffers) { return paddingDiffers ? Equiv::ModuloPadding : Equiv::Yes; }

} // namespace forge::itd::rules

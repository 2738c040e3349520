//===- Rules.h - the rules of schedules, each once --------------*- C++ -*-===//
//
// What follows from a split, merge, resize or swizzle: extents, indices, and which indices a loop must check. The rest
// of the library only applies these, so that tests can link wrong ones in their place and see them caught.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_ITERDOMAIN_RULES_H
#define FORGE_ITERDOMAIN_RULES_H

#include "forge/IterDomain/Equivalence.h"

namespace forge::itd::rules {

using Wide = __int128;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Chunks of `factor` elements that `extent` elements take: the last one may have fewer.
int64_t quotient(int64_t extent, int64_t factor);
/// Extents of the outer and inner part of a split into chunks of `factor` (`inner`), or into `factor` chunks.
std::pair<Extent, Extent> splitExtents(Extent quotient, int64_t factor, bool inner);
/// Whether a split has no remainder.
Tri isDivisible(Extent extent, int64_t factor);
/// Whether a resize has more outputs than inputs on one side.
bool resizeCreatesPadding(int64_t left, int64_t right);
/// Whether a swizzle maps the box to itself. Xor: extentY is a multiple of the power of two at or above extentX.
Tri isClosed(SwizzleKind kind, Extent extentX, Extent extentY);

//===----------------------------------------------------------------------===//
// Indices: of the inputs of an expression from those of its outputs
//===----------------------------------------------------------------------===//

/// Nothing beyond 64 bits.
std::optional<int64_t> splitIndex(int64_t outer, int64_t inner, int64_t outerExtent, int64_t innerExtent);
/// Of the outer input of a merge, whose inner input has `width` > 0 elements; also for the bounds of indices.
Wide mergeOuter(Wide index, int64_t width);
/// Nothing beyond 64 bits.
std::optional<int64_t> resizeIndex(int64_t out, int64_t left);
/// sigma(x, y) of a swizzle whose second axis has `extentY` elements, for all integers; only Xor and ZShape can leave
/// the range of y, and none does for x and y in range. With no elements there is no right value; y is returned.
int64_t swizzled(SwizzleKind kind, int64_t x, int64_t y, int64_t extentY);

//===----------------------------------------------------------------------===//
// Guards that are not needed, and equality
//===----------------------------------------------------------------------===//

/// Whether an index at or beyond `closest` is out of bound for an axis of `extent` elements.
bool isBeyond(Wide closest, int64_t extent);
/// Whether the inner output of a split needs no guard, when its being out of bound puts an ancestor out of bound or
/// not.
bool isInnerDeferred(bool leavesAncestor);
/// Whether the output of a resize that grows by `growth` on a side needs no guard on that side.
bool isResizeDeferred(int64_t growth);
/// Whether the first output of a swizzle needs no guard: sigma(x, y) must be in range for every x and every y in range.
bool isSwizzleDeferred(SwizzleKind kind);
/// Whether guards that only exclude what others exclude may be dropped.
bool dropsRedundantGuards();
/// Of two schedules whose buffers hold the same elements, when the indices at some padding differ or not.
Equiv equality(bool paddingDiffers);

} // namespace forge::itd::rules

#endif // FORGE_ITERDOMAIN_RULES_H

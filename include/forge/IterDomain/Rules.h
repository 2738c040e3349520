//===- Rules.h - semantics of split, merge, resize, swizzle -----*- C++ -*-===//
//
// The semantics of split, merge, resize and swizzle: extents, indices, and which indices need a predicate. The rest of
// the library only applies these rules, so that tests can link wrong ones instead and check that they are detected.
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

/// The number of chunks of `factor` elements in `extent` elements; the last chunk may be partial.
int64_t quotient(int64_t extent, int64_t factor);
/// Extents of the outer and inner output of a split into chunks of `factor` (`inner`), or into `factor` chunks.
std::pair<Extent, Extent> splitExtents(Extent quotient, int64_t factor, bool inner);
/// Whether a split has no remainder.
Tri isDivisible(Extent extent, int64_t factor);
/// Whether a resize adds elements at an end.
bool resizeCreatesPadding(int64_t left, int64_t right);
/// Whether a swizzle maps the box to itself. For Xor, extentY has to be a multiple of the next power of two >= extentX.
Tri isClosed(SwizzleKind kind, Extent extentX, Extent extentY);

//===----------------------------------------------------------------------===//
// Indices: of the inputs of an expression from those of its outputs
//===----------------------------------------------------------------------===//

/// The index of the input; nullopt beyond 64 bits.
std::optional<int64_t> splitIndex(int64_t outer, int64_t inner, int64_t outerExtent, int64_t innerExtent);
/// The index of the outer input of a merge whose inner input has `width` > 0 elements. Also applied to index bounds.
Wide mergeOuter(Wide index, int64_t width);
/// The index of the input; nullopt beyond 64 bits.
std::optional<int64_t> resizeIndex(int64_t out, int64_t left);
/// sigma(x, y) of a swizzle whose second axis has `extentY` elements; defined for all integers. For x and y in bounds
/// the result is in bounds; elsewhere Xor and ZShape may leave the bounds. Returns y if the axis is empty.
int64_t swizzled(SwizzleKind kind, int64_t x, int64_t y, int64_t extentY);

//===----------------------------------------------------------------------===//
// Predicates that can be omitted, and equality
//===----------------------------------------------------------------------===//

/// Whether an index of at least `closest` is out of bounds for an axis of `extent` elements.
bool isBeyond(Wide closest, int64_t extent);
/// Whether the inner output of a split needs no predicate. `leavesAncestor`: an ancestor is out of bounds whenever it
/// is.
bool isInnerDeferred(bool leavesAncestor);
/// Whether the output of a resize that adds `growth` elements at an end needs no predicate there.
bool isResizeDeferred(int64_t growth);
/// Whether the first output of a swizzle needs no predicate: sigma(x, y) is in bounds for all x and each y in bounds.
bool isSwizzleDeferred(SwizzleKind kind);
/// Whether predicates that are implied by others may be dropped.
bool dropsRedundantGuards();
/// The verdict on two schedules whose buffers hold the same elements. `paddingDiffers`: indices at some padding differ.
Equiv equality(bool paddingDiffers);

} // namespace forge::itd::rules

#endif // FORGE_ITERDOMAIN_RULES_H

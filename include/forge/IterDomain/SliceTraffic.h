//===- SliceTraffic.h - tiles that a slice reads and writes -----*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_SLICETRAFFIC_H
#define FORGE_ITERDOMAIN_SLICETRAFFIC_H

#include "forge/IterDomain/TileLayout.h"

namespace forge::itd {

/// Tiles read plus tiles written, on three kinds of backend. A model for comparing programs, not a timing.
struct SliceTraffic {
  int64_t ttnn = 0;     ///< copies tiles of aligned slices; untilizes all of the input for the others
  int64_t windowed = 0; ///< the same, but untilizes only the tiles that the slice touches
  int64_t view = 0;     ///< the same, and an aligned slice is a view

  friend bool operator==(const SliceTraffic &a, const SliceTraffic &b) {
    return a.ttnn == b.ttnn && a.windowed == b.windowed && a.view == b.view;
  }
};

/// Aligned: 2 out. Misaligned: untilize, slice and tilize, which is 2 in + 4 out; in a window min(2 in, 4 window) + 4
/// out. Nothing for a slice of everything or of nothing. Fails as classifySlice does.
llvm::Expected<SliceTraffic> sliceTraffic(llvm::ArrayRef<int64_t> shape, int64_t axis, SliceSpec slice,
                                          const ElementFormat &format, Tile tile = {});

/// The part of `axis` in whole tiles that a slice touches: TILE_VIEW or TILE_VIEW_DIRTY, or everything.
SliceSpec sliceWindow(llvm::ArrayRef<int64_t> shape, size_t axis, SliceSpec slice, Tile tile = {});

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_SLICETRAFFIC_H

//===- SliceTraffic.h - tiles that a slice reads and writes -----*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_SLICETRAFFIC_H
#define FORGE_ITERDOMAIN_SLICETRAFFIC_H

#include "forge/IterDomain/TileLayout.h"

namespace forge::itd {

/// Tiles read plus tiles written by a slice, for three kinds of backends. Compares programs; does not predict times.
struct SliceTraffic {
  int64_t ttnn = 0;     ///< copies the tiles of an aligned slice; untilizes the whole input otherwise
  int64_t windowed = 0; ///< as ttnn, but untilizes only the tiles that the slice overlaps
  int64_t view = 0;     ///< as windowed, but an aligned slice is a view, which is free

  friend bool operator==(const SliceTraffic &a, const SliceTraffic &b) {
    return a.ttnn == b.ttnn && a.windowed == b.windowed && a.view == b.view;
  }
};

/// Aligned: 2 out. Misaligned: untilize, slice and tilize cost 2 in + 4 out, or with a window min(2 in, 4 window) + 4
/// out. An empty slice or one of the whole axis costs nothing. Fails as classifySlice does.
llvm::Expected<SliceTraffic> sliceTraffic(llvm::ArrayRef<int64_t> shape, int64_t axis, SliceSpec slice,
                                          const ElementFormat &format, Tile tile = {});

/// The part of `axis` in whole tiles that a slice overlaps: a TILE_VIEW, a TILE_VIEW_DIRTY or the whole axis.
SliceSpec sliceWindow(llvm::ArrayRef<int64_t> shape, size_t axis, SliceSpec slice, Tile tile = {});

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_SLICETRAFFIC_H

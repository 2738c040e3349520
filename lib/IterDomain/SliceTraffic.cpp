//===- SliceTraffic.cpp - tiles that a slice reads and writes -------------===//

#include "forge/IterDomain/SliceTraffic.h"

#include "Arithmetic.h"

namespace forge::itd {

static llvm::Expected<int64_t> tilesOf(llvm::ArrayRef<int64_t> shape, const ElementFormat &format, Tile tile) {
  FORGE_ASSIGN_OR_RETURN(LayoutReport layout, layoutReport(shape, format, tile));
  return layout.tiles;
}

SliceSpec sliceWindow(llvm::ArrayRef<int64_t> shape, size_t axis, SliceSpec slice, Tile tile) {
  int64_t edge = tileEdge(shape.size(), axis, tile);
  return {slice.begin - slice.begin % edge, std::min(shape[axis], ceilDiv(slice.end, edge) * edge)};
}

llvm::Expected<SliceTraffic> sliceTraffic(llvm::ArrayRef<int64_t> shape, int64_t axis, SliceSpec slice,
                                          const ElementFormat &format, Tile tile) {
  FORGE_ASSIGN_OR_RETURN(SliceReport report, classifySlice(shape, axis, slice, format, tile));
  if (report.sliceClass == SliceClass::Identity || report.sliceClass == SliceClass::Empty)
    return SliceTraffic();
  FORGE_ASSIGN_OR_RETURN(int64_t out, tilesOf(report.shape, format, tile));
  // A tensor has at most 2^53 tiles of 1024 elements, so that small multiples do not overflow.
  if (report.sliceClass == SliceClass::TileView || report.sliceClass == SliceClass::TileViewDirty)
    return SliceTraffic{2 * out, 2 * out, 0};

  FORGE_ASSIGN_OR_RETURN(int64_t in, tilesOf(shape, format, tile)); // First: then no bound of whole tiles overflows.
  size_t dim = axis < 0 ? axis + shape.size() : axis;
  SliceSpec window = sliceWindow(shape, dim, slice, tile);
  llvm::SmallVector<int64_t> windowShape(shape);
  windowShape[dim] = window.length();
  FORGE_ASSIGN_OR_RETURN(int64_t windowTiles, tilesOf(windowShape, format, tile));
  int64_t windowed = std::min(2 * in, 4 * windowTiles) + 4 * out;
  return SliceTraffic{2 * in + 4 * out, windowed, windowed};
}

} // namespace forge::itd

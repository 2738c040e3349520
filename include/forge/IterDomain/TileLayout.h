//===- TileLayout.h - shapes and slices in tile layout ----------*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_TILELAYOUT_H
#define FORGE_ITERDOMAIN_TILELAYOUT_H

#include "forge/IterDomain/TensorDomain.h"

namespace forge::itd {

/// How the elements of a tile are stored.
struct ElementFormat {
  llvm::StringRef name;
  int64_t bits;          ///< per element, without the shared exponent
  int64_t blockSize = 1; ///< elements that share one exponent byte
  bool isInteger = false;

  bool isBlockFloat() const { return blockSize > 1; }
  /// Bytes of one tile, including shared exponents.
  int64_t tileBytes(Tile tile = {}) const;
};

/// f32 f16 bf16 bfp8 bfp4 bfp2 i32 u32 i16 u16 i8 u8.
llvm::ArrayRef<ElementFormat> elementFormats();
std::optional<ElementFormat> elementFormat(llvm::StringRef name);

/// The size of a tensor in the tile layout, where each matrix is padded.
struct LayoutReport {
  llvm::SmallVector<int64_t> padded; ///< at least two axes
  int64_t tiles, bytes;
  int64_t allocated, logical, padding; ///< elements
  double paddingPercent, ratio;        ///< padding / allocated, allocated / logical
};
llvm::Expected<LayoutReport> layoutReport(llvm::ArrayRef<int64_t> shape, const ElementFormat &format, Tile tile = {});

/// The cost class of a slice in tile layout, from free to expensive. TileView: whole tiles; TileViewDirty: whole tiles
/// whose padding contains elements outside the slice; RetileNoc, Retile: elements move within tiles, from an address
/// that is (is not) a multiple of 16 bytes; RetileStrided: a stride within tiles.
enum class SliceClass { Identity, Empty, TileView, TileViewDirty, RetileNoc, Retile, RetileStrided };
/// "TILE_VIEW_DIRTY" and the like.
llvm::StringRef name(SliceClass sliceClass);

/// [begin, end) with a positive step; begin and end are within the axis.
struct SliceSpec {
  int64_t begin, end, step = 1;
  /// ceil((end - begin) / step).
  int64_t length() const { return end <= begin ? 0 : (end - begin - 1) / step + 1; }
};

struct SliceReport {
  SliceClass sliceClass;
  llvm::SmallVector<int64_t> shape; ///< of the result
  int64_t padding;                  ///< of the result's layout
};
/// A negative `axis` counts from the last one.
llvm::Expected<SliceReport> classifySlice(llvm::ArrayRef<int64_t> shape, int64_t axis, SliceSpec slice,
                                          const ElementFormat &format, Tile tile = {});

/// A product of intervals [lo, hi), one per axis.
struct Box {
  llvm::SmallVector<int64_t> lo, hi;
};
/// The box of the elements with row-major indices [a, b), 0 <= a < b <= size; nullopt if they do not form a box. Fails
/// for other intervals.
llvm::Expected<std::optional<Box>> intervalAsBox(llvm::ArrayRef<int64_t> shape, int64_t a, int64_t b);
/// The box of `target` that holds the elements of a slice [begin, end) of `source` along `axis` after a reshape from
/// `source` to `target`; nullopt only if they do not form a box.
llvm::Expected<std::optional<Box>> sliceThroughReshape(llvm::ArrayRef<int64_t> source, int64_t axis, SliceSpec slice,
                                                       llvm::ArrayRef<int64_t> target);

/// The sizes of onnx.Split with `num_outputs` (opset 18): ceil(dim / parts) each, and a smaller last one. Fails when
/// the chunks before the last exceed `dim`, and for more than 65536 parts.
llvm::Expected<llvm::SmallVector<int64_t>> onnxSplitSizes(int64_t dim, int64_t parts);

/// The alignment of attention heads of `size` columns to tiles.
struct HeadAlignment {
  int64_t alignedEvery; ///< heads from one that starts at a tile boundary to the next
  int64_t padTo;        ///< size of a head padded to whole tiles
  double overhead;      ///< padTo / size
};
llvm::Expected<HeadAlignment> headAlignment(int64_t size, Tile tile = {});

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_TILELAYOUT_H

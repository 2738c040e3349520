//===- TileLayout.h - shapes, slices and tiles ------------------*- C++ -*-===//

#ifndef FORGE_ITERDOMAIN_TILELAYOUT_H
#define FORGE_ITERDOMAIN_TILELAYOUT_H

#include "forge/IterDomain/TensorDomain.h"

namespace forge::itd {

/// How the elements of a tile are stored.
struct ElementFormat {
  llvm::StringRef name;
  int64_t bits;          ///< per element, without a shared exponent
  int64_t blockSize = 1; ///< elements that share one exponent byte
  bool isInteger = false;

  bool isBlockFloat() const { return blockSize > 1; }
  /// Bytes of one tile with its exponents.
  int64_t tileBytes(Tile tile = {}) const;
};

/// f32 f16 bf16 bfp8 bfp4 bfp2 i32 u32 i16 u16 i8 u8.
llvm::ArrayRef<ElementFormat> elementFormats();
std::optional<ElementFormat> elementFormat(llvm::StringRef name);

/// What a tensor takes in the tile layout (each matrix padded).
struct LayoutReport {
  llvm::SmallVector<int64_t> padded; ///< at least two axes
  int64_t tiles, bytes;
  int64_t allocated, logical, padding; ///< elements
  double paddingPercent, ratio;        ///< padding / allocated, allocated / logical
};
llvm::Expected<LayoutReport> layoutReport(llvm::ArrayRef<int64_t> shape, const ElementFormat &format, Tile tile = {});

/// What a slice is in tiles, from free to expensive. TileView: whole tiles; TileViewDirty: whole tiles, whose padding
/// hold neighbours; RetileNoc, Retile: elements move inside tiles, from an address that is (is not) a multiple of 16
/// bytes; RetileStrided: a step inside tiles.
enum class SliceClass { Identity, Empty, TileView, TileViewDirty, RetileNoc, Retile, RetileStrided };
/// "TILE_VIEW_DIRTY" and the like.
llvm::StringRef name(SliceClass sliceClass);

/// [begin, end) by step; begin and end within the axis, step positive.
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
/// `axis` from the end if negative.
llvm::Expected<SliceReport> classifySlice(llvm::ArrayRef<int64_t> shape, int64_t axis, SliceSpec slice,
                                          const ElementFormat &format, Tile tile = {});

/// A product of intervals [lo, hi), one per axis.
struct Box {
  llvm::SmallVector<int64_t> lo, hi;
};
/// The box of elements whose row-major indices are [a, b), 0 <= a < b <= size; nullopt if they are none. Fails on other
/// intervals.
llvm::Expected<std::optional<Box>> intervalAsBox(llvm::ArrayRef<int64_t> shape, int64_t a, int64_t b);
/// The box of `target` that a slice [begin, end) of `source` along `axis` becomes under a reshape from `source` to
/// `target`; nullopt if the elements are no box. Complete: every box is found.
llvm::Expected<std::optional<Box>> sliceThroughReshape(llvm::ArrayRef<int64_t> source, int64_t axis, SliceSpec slice,
                                                       llvm::ArrayRef<int64_t> target);

/// Chunks of onnx.Split with `num_outputs` (opset 18): ceil(dim / parts) each, the last one smaller. Fails when the
/// chunks before the last exceed `dim`, and for more than 65536 parts.
llvm::Expected<llvm::SmallVector<int64_t>> onnxSplitSizes(int64_t dim, int64_t parts);

/// Heads of `size` columns in a row of tiles.
struct HeadAlignment {
  int64_t alignedEvery; ///< every how many heads one starts on a tile
  int64_t padTo;        ///< size of a head padded to whole tiles
  double overhead;      ///< padTo / size
};
llvm::Expected<HeadAlignment> headAlignment(int64_t size, Tile tile = {});

} // namespace forge::itd

#endif // FORGE_ITERDOMAIN_TILELAYOUT_H

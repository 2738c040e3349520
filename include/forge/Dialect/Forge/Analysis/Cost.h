//===- Cost.h - what ops compute, and what values take and move -*- C++ -*-===//
//
// The one cost model: multiply-adds, bytes, and tiles read and written. Counts are of a model, for comparing programs
// and placing ops; they are no timings.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_COST_H
#define FORGE_DIALECT_FORGE_ANALYSIS_COST_H

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/TiledMatrix.h"
#include "forge/IterDomain/SliceTraffic.h"

namespace forge {

// Counts are not negative, and stay at INT64_MAX instead of overflowing.
int64_t addCounts(int64_t a, int64_t b);
int64_t multiplyCounts(int64_t a, int64_t b);

//===----------------------------------------------------------------------===//
// Multiply-adds and bytes
//===----------------------------------------------------------------------===//

/// Multiply-adds of a matrix product that contracts an axis of `contracted` elements.
int64_t matmulMultiplyAdds(mlir::RankedTensorType result, int64_t contracted);
/// Multiply-adds of a convolution with filters [out, in / groups, window...]: every element of `outputs` takes one per
/// element of a filter. For a transposed convolution `outputs` is its input, for each of those feeds a whole filter.
int64_t convolutionMultiplyAdds(mlir::RankedTensorType outputs, mlir::RankedTensorType filters);
/// Multiply-adds of a forge op: of a matrix product or a convolution, 0 for any other op.
int64_t multiplyAdds(mlir::Operation *op);

/// Bytes of a dense tensor with elements of `bits` bits, at least one byte each. A size that is not known counts as 1.
int64_t denseBytes(llvm::ArrayRef<int64_t> shape, unsigned bits);

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// What the tile layout of a device makes of values. Answers are nothing where the layout of a tensor has more than
/// 2^63 elements.
struct DeviceLayout {
  /// How the device holds floats; by default as their type says.
  std::optional<itd::ElementFormat> floats;

  /// From a pass option: "" or a name of itd::elementFormat. Reports to `op`.
  static mlir::FailureOr<DeviceLayout> parse(mlir::Operation *op, llvm::StringRef format);

  itd::ElementFormat format(mlir::Type element) const;
  std::optional<itd::LayoutReport> report(mlir::RankedTensorType type) const;
  std::optional<itd::SliceClass> classOf(const AxisSlice &slice) const;

  /// Tiles that a value takes.
  std::optional<int64_t> tiles(mlir::RankedTensorType type) const;
  /// Tiles that a slice reads and writes.
  std::optional<itd::SliceTraffic> traffic(const AxisSlice &slice) const;
  std::optional<itd::SliceTraffic> traffic(mlir::RankedTensorType source, const AxisRange &slice) const;
  /// Tiles that these slices of a tensor read and write, once windows are cut.
  std::optional<int64_t> traffic(mlir::RankedTensorType source, llvm::ArrayRef<AxisRange> slices) const;
  /// Tiles that a forge.reshape or forge.transpose from one type to another reads and writes: none where the tiles stay
  /// as they are and in order, 2 out where whole tiles move, else 2 in + 2 out. Nothing for other ops.
  std::optional<int64_t> moveTraffic(mlir::Operation *op, mlir::RankedTensorType from, mlir::RankedTensorType to) const;
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// What one run takes on the device.
struct OpCost {
  int64_t calls = 0;        ///< of Forge, where they are counted
  int64_t kernels = 0;      ///< calls of TTNN
  int64_t bytes = 0;        ///< of operands and results, in whole tiles
  int64_t tiles = 0;        ///< read and written by movement, once windows of slices are cut
  int64_t multiplyAdds = 0; ///< of matrix products and convolutions
};

/// What one more kernel counts against the bytes that others move: a launch takes about as long as these.
inline constexpr int64_t kKernelBytes = 1 << 16;
/// Multiply-adds that count as one byte. A Wormhole n150 does 37e12 a second at its best, in 16-bit floats, and moves
/// 288e9 bytes: 128 of one for each of the other, of which convolutions reach about a quarter.
inline constexpr int64_t kMultiplyAddsPerByte = 32;

/// Calls of TTNN for an op in its program: those of its record, but none for what tt-mlir makes a part of another
/// call: unary functions that produce or consume a result of arithmetic, the product of SiLU, transposes of a factor.
int64_t kernelsOf(mlir::Operation *op);
/// The cost of an op in its program, unless it is a constant or a part of one; a layout too large to count is
/// INT64_MAX.
OpCost costOf(mlir::Operation *op, const DeviceLayout &layout);

/// Kernels, bytes and multiply-adds as one number, in multiply-adds.
int64_t weightOf(const OpCost &cost);
/// The one comparison of forms: whether it pays to have ops that cost `after` in the place of such that cost `before`.
/// Neither their weight nor their calls may be more, and one of the two has to be less. Costs may also be what is
/// saved, and nothing.
bool pays(const OpCost &before, const OpCost &after);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_COST_H

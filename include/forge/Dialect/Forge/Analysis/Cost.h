//===- Cost.h - what ops compute, and what values take and move -*- C++ -*-===//
//
// The one cost model: multiply-adds, bytes, and tiles read and written, and the time that a device takes for them. It
// is an estimate, for comparing programs and placing ops; nothing was timed.
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

/// What a device does in a nanosecond.
struct Device {
  llvm::StringRef name;
  int64_t bytes;           ///< of its memory, read or written
  int64_t multiplyAdds;    ///< of floats of 16 bits and more
  int64_t multiplyAddsOf8; ///< of blocks of floats of 8 bits and less
  int64_t launch;          ///< nanoseconds from the end of a kernel to the start of the next

  static llvm::ArrayRef<Device> all();
  /// The one for which programs are made: the first.
  static const Device &standard() { return all().front(); }
  /// Nothing for a name that all() does not have.
  static const Device *find(llvm::StringRef name);
};

/// What the tile layout of a device makes of values. Answers are nothing where the layout of a tensor has more than
/// 2^63 elements.
struct DeviceLayout {
  /// How the device holds floats; by default as their type says.
  std::optional<itd::ElementFormat> floats;
  const Device *device = &Device::standard();

  /// From a pass option: "" or a name of itd::elementFormat. Reports to `op`.
  static mlir::FailureOr<DeviceLayout> parse(mlir::Operation *op, llvm::StringRef format);

  itd::ElementFormat format(mlir::Type element) const;
  std::optional<itd::LayoutReport> report(mlir::RankedTensorType type) const;
  std::optional<itd::SliceClass> classOf(const AxisSlice &slice) const;

  /// Bytes that a value takes, in whole tiles; INT64_MAX where they cannot be counted.
  int64_t bytes(mlir::RankedTensorType type) const;
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
  int64_t bytes = 0;        ///< that kernels read and write, in whole tiles
  int64_t padding = 0;      ///< of these: outside of tensors
  int64_t moved = 0;        ///< of these: by kernels that only change where elements lie
  int64_t multiplyAdds = 0; ///< of matrix products and convolutions
  int64_t time = 0;         ///< picoseconds: of each kernel a launch, and its bytes or its multiply-adds

  /// Adds kernels that together read and write `bytes` and do `multiplyAdds`; a negative number of kernels removes
  /// them.
  void addKernels(int64_t count, int64_t bytes = 0, int64_t multiplyAdds = 0,
                  const DeviceLayout &layout = DeviceLayout());
  /// Adds a kernel that reads a value of type `from` and writes its elements as `to`.
  void addMove(mlir::RankedTensorType from, mlir::RankedTensorType to, const DeviceLayout &layout = DeviceLayout());
};

/// Calls of TTNN for an op where it is: those of its record, but none for what tt-mlir makes a part of another
/// call: functions of one operand next to arithmetic, the product of SiLU, transposes of a factor.
int64_t kernelsOf(mlir::Operation *op);
/// The cost of an op where it is, unless it is a constant or a part of one; a layout too large to count is
/// INT64_MAX.
OpCost costOf(mlir::Operation *op, const DeviceLayout &layout);

/// The one comparison of forms: whether it pays to have ops that cost `after` in the place of such that cost `before`.
/// Neither their time nor their calls may be more, and one of the two has to be less. Costs may also be what is
/// saved, and nothing.
bool pays(const OpCost &before, const OpCost &after);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_COST_H

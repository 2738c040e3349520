//===- DeviceLayout.h - devices, and tensors in their tiles -----*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_COST_DEVICELAYOUT_H
#define FORGE_DIALECT_FORGE_ANALYSIS_COST_DEVICELAYOUT_H

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/TiledMatrix.h"
#include "forge/IterDomain/SliceTraffic.h"

namespace forge {

/// The speed of a device, per nanosecond.
struct Device {
  llvm::StringRef name;
  int64_t bytes;           ///< bytes of memory read or written
  int64_t multiplyAdds;    ///< multiply-adds of floats of 16 bits and more
  int64_t multiplyAddsOf8; ///< multiply-adds of block floats of 8 bits and less
  int64_t launch;          ///< nanoseconds from the end of a kernel to the start of the next

  static llvm::ArrayRef<Device> all();
  /// The device for which programs are compiled, the first of all().
  static const Device &standard() { return all().front(); }
  /// The device with this name, or null.
  static const Device *find(llvm::StringRef name);
};

/// Sizes of values in the tile layout of a device. If a layout has more than 2^63 elements, results are empty, and
/// counts of bytes and tiles are INT64_MAX.
struct DeviceLayout {
  /// The storage format of floats on the device; by default their type.
  std::optional<itd::ElementFormat> floats;
  const Device *device = &Device::standard();
  /// Parses a pass option, "" or a name of itd::elementFormat. Reports errors at `op`.
  static mlir::FailureOr<DeviceLayout> parse(mlir::Operation *op, llvm::StringRef format);

  itd::ElementFormat format(mlir::Type element) const;
  std::optional<itd::LayoutReport> report(mlir::RankedTensorType type) const;
  std::optional<itd::SliceClass> classOf(const AxisSlice &slice) const;
  /// Bytes of a value in whole tiles.
  int64_t bytes(mlir::RankedTensorType type) const;
  /// The number of tiles of a value.
  int64_t tiles(mlir::RankedTensorType type) const;
  /// Tiles that a slice reads and writes.
  std::optional<itd::SliceTraffic> traffic(const AxisSlice &slice) const {
    return traffic(tensorType(slice.source), {slice.axis, slice.range});
  }
  std::optional<itd::SliceTraffic> traffic(mlir::RankedTensorType source, const AxisRange &slice) const;
  /// Tiles that these slices of a tensor read and write, after --forge-divisibility-rewrite has applied `window`.
  int64_t traffic(mlir::RankedTensorType source, llvm::ArrayRef<AxisRange> slices) const;
  /// Tiles that a forge.reshape or forge.transpose from one type to another reads and writes: 0 if the tiles stay the
  /// same and in order, 2 * out if whole tiles move, else 2 * in + 2 * out.
  int64_t moveTraffic(mlir::Operation *op, mlir::RankedTensorType from, mlir::RankedTensorType to) const;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_COST_DEVICELAYOUT_H

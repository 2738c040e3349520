//===- AxisSlice.h - slices of one axis, and what tiles make of them -*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_AXISSLICE_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_AXISSLICE_H

#include "forge/IterDomain/SliceTraffic.h"
#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "mlir/IR/Builders.h"

namespace forge {

/// Height and width of a tile.
inline constexpr int64_t kTile = 32;

/// A forward slice of one axis with at least one item: what a forge.index, and most forge.strided_slice, say.
struct AxisSlice {
  mlir::Value source;
  int64_t axis;         ///< from the front
  itd::SliceSpec range; ///< inside the axis; one item has step 1

  /// The slice that `value` is, if it is one.
  static std::optional<AxisSlice> of(mlir::Value value);

  int64_t extent() const { return shapeOf(source)[axis]; }
  bool isWhole() const { return range.length() == extent(); }
  bool isContiguous() const { return range.step == 1; }
  llvm::SmallVector<int64_t> shape() const;
  /// The source itself for all of it.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc) const;
};

/// [begin, end) of `axis`; the source itself for all of it.
mlir::Value sliceOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source, int64_t axis, int64_t begin,
                    int64_t end);

/// Whether all users of `value` (a few at most) are forward slices of `axis`.
bool areAllSlicesOf(mlir::Value value, int64_t axis);

/// `dim` counted from the front.
inline int64_t fromFront(int64_t dim, int64_t rank) { return dim < 0 ? dim + rank : dim; }

/// Whether each element of the result depends on one element of each operand, which broadcast to it.
bool isElementwise(mlir::Operation *op);

/// What the tile layout of a device makes of values.
struct DeviceLayout {
  /// How the device holds floats; by default as their type says.
  std::optional<itd::ElementFormat> floats;

  /// From a pass option: "" or a name of itd::elementFormat. Reports to `op`.
  static mlir::FailureOr<DeviceLayout> parse(mlir::Operation *op, llvm::StringRef format);

  itd::ElementFormat format(mlir::Type element) const;
  // Nothing where the layout of a tensor has more than 2^63 elements.
  std::optional<itd::SliceClass> classOf(const AxisSlice &slice) const;
  std::optional<itd::SliceTraffic> traffic(const AxisSlice &slice) const;
  std::optional<itd::SliceTraffic> traffic(mlir::RankedTensorType source, int64_t axis, itd::SliceSpec range) const;
  std::optional<itd::LayoutReport> report(mlir::RankedTensorType type) const;
};

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_AXISSLICE_H

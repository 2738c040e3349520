//===- AxisSlice.h - slices of one axis -------------------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_AXISSLICE_H
#define FORGE_DIALECT_FORGE_ANALYSIS_AXISSLICE_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Operands.h"
#include "forge/IterDomain/TileLayout.h"
#include "mlir/IR/Builders.h"

namespace forge {

/// A range of one axis of a tensor; the axis is counted from the front.
struct AxisRange {
  int64_t axis;
  itd::SliceSpec range;

  friend bool operator==(const AxisRange &a, const AxisRange &b) {
    return a.axis == b.axis && a.range.begin == b.range.begin && a.range.end == b.range.end &&
           a.range.step == b.range.step;
  }
};

/// A range with a positive stride, in the type of the iteration domain library.
inline itd::SliceSpec toSpec(const SliceRange &range) { return {range.start, range.stop, range.stride}; }

inline AxisSliceRange toSlice(const AxisRange &slice) {
  return {slice.axis, {slice.range.begin, slice.range.end, slice.range.step}};
}

/// A non-empty slice of one axis with a positive stride, as every forge.index and most forge.strided_slice are.
struct AxisSlice {
  mlir::Value source;
  int64_t axis;         ///< from the front
  itd::SliceSpec range; ///< within the axis; a slice of one element has step 1

  /// Matches the producer of `value`; none if that is no such slice.
  static std::optional<AxisSlice> of(mlir::Value value);

  int64_t extent() const { return shapeOf(source)[axis]; }
  bool coversAxis() const { return range.length() == extent(); }
  bool isContiguous() const { return range.step == 1; }
  llvm::SmallVector<int64_t> shape() const;
  /// Builds the slice; returns the source if the slice is the whole axis.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc) const;
};

/// Whether all users of `value`, at most a few, are slices of `axis` with a positive stride.
bool areAllSlicesOf(mlir::Value value, int64_t axis);

/// Whether `op` has the trait Elementwise.
inline bool isElementwise(mlir::Operation *op) { return op->hasTrait<forge::traits::Elementwise>(); }

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_AXISSLICE_H

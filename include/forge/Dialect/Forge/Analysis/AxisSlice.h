//===- AxisSlice.h - slices of one axis -------------------------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_AXISSLICE_H
#define FORGE_DIALECT_FORGE_ANALYSIS_AXISSLICE_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/IterDomain/TileLayout.h"
#include "mlir/IR/Builders.h"

namespace forge {

/// A range of one axis, counted from the front, of some tensor.
struct AxisRange {
  int64_t axis;
  itd::SliceSpec range;

  friend bool operator==(const AxisRange &a, const AxisRange &b) {
    return a.axis == b.axis && a.range.begin == b.range.begin && a.range.end == b.range.end &&
           a.range.step == b.range.step;
  }
};

/// A forward range as the iteration domain library takes it.
inline itd::SliceSpec toSpec(const SliceRange &range) { return {range.start, range.stop, range.stride}; }

inline AxisSliceRange toSlice(const AxisRange &slice) {
  return {slice.axis, {slice.range.begin, slice.range.end, slice.range.step}};
}

/// A forward slice of one axis with at least one element: what a forge.index, and most forge.strided_slice, say.
struct AxisSlice {
  mlir::Value source;
  int64_t axis;         ///< from the front
  itd::SliceSpec range; ///< inside the axis; one element has step 1

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

/// Whether each element of the result depends on one element of each operand, which broadcast to it: the op's record
/// says so (`padding`). A dropout is none, for its elements depend on how many were drawn before, nor is an identity,
/// which names a tensor.
bool isElementwise(mlir::Operation *op);
/// Up to this rank the device broadcasts the operands of elementwise ops.
inline constexpr size_t kMostBroadcastAxes = 6;

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_AXISSLICE_H

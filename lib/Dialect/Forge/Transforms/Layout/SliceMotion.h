//===- SliceMotion.h - slices past reshapes and transposes ------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SLICEMOTION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SLICEMOTION_H

#include "Rewrites.h"

namespace forge {

/// A range of one axis of some tensor.
struct AxisRange {
  int64_t axis;
  itd::SliceSpec range;

  friend bool operator==(const AxisRange &a, const AxisRange &b) {
    return a.axis == b.axis && a.range.begin == b.range.begin && a.range.end == b.range.end &&
           a.range.step == b.range.step;
  }
};

/// The slice of a tensor of shape `from` that holds the items of a slice of its reshape to `to`, in their order. There
/// is one where the sliced items are a box of the source that cuts one axis only, or where one item of an inner digit
/// is taken, which is a strided slice.
std::optional<AxisRange> rangeAboveReshape(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to, AxisRange slice);

/// The axis of the operand of a transpose that becomes `axis` of its result, and the other way round.
int64_t transposedAxis(TransposeOp op, int64_t axis);

/// Whether a piece is cut into heads [..., H, D] of whole tiles. The compiler behind Forge has one call for the slices
/// of a projection, these reshapes and the transposes behind them, so they stay as they are.
bool isHeadSplit(mlir::Value piece);

/// Slices of one axis of one value. They move together: what is above them dies with the last one only.
struct SliceGroup {
  int64_t axis;
  llvm::SmallVector<mlir::Value> slices; ///< of StridedSliceOp
  llvm::SmallVector<itd::SliceSpec> ranges;

  mlir::Value source() const;
  /// Whether nothing else reads the source.
  bool isOnlyReader() const;
};

/// Those of a function, in order, but for groups of more than 64 slices, which take too long.
std::vector<SliceGroup> sliceGroups(mlir::func::FuncOp func);

/// What these slices of a tensor move, once windows are cut; nothing where a layout is too large.
std::optional<int64_t> trafficOf(const DeviceLayout &layout, mlir::RankedTensorType source,
                                 llvm::ArrayRef<AxisRange> slices);

/// The same reshape (to `type`) or transpose of another value, which is no ONNX value.
mlir::Value rebuild(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value operand, mlir::RankedTensorType type);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SLICEMOTION_H

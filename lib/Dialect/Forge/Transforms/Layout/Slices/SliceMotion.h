//===- SliceMotion.h - slices past reshapes and transposes ------*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SLICES_SLICEMOTION_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SLICES_SLICEMOTION_H

#include "Layout/Rewrites.h"
#include "forge/Dialect/Forge/IR/IndexMap.h"

namespace forge {

/// Whether a piece is cut into heads [..., H, D] of whole tiles. The compiler behind Forge has one call for the slices
/// of a projection, these reshapes and the transposes after them, so they stay as they are.
bool isHeadSplit(mlir::Value piece);

/// Slices of one axis of one value. They move together: the ops above them are not needed only when none of them is
/// left.
struct SliceGroup {
  int64_t axis;
  llvm::SmallVector<mlir::Value> slices; ///< of StridedSliceOp
  llvm::SmallVector<itd::SliceSpec> ranges;

  mlir::Value source() const;
  llvm::SmallVector<AxisRange> axisRanges() const;
  /// Whether nothing else reads the source.
  bool isOnlyReader() const;
};

/// Those of a function, in order, but for groups of more than 64 slices, which take too long.
std::vector<SliceGroup> sliceGroups(mlir::func::FuncOp func);

/// One direction in which the slices of a group move past ops: up (hoist) or down (sink). Place 0 is where they are;
/// each further place is one op away from the one before.
class SliceMotion {
public:
  virtual ~SliceMotion() = default;

  /// Looks at a few places, and moves the slices to the one where most tiles are saved, if there is one.
  void run(const RewriteContext &context);

protected:
  /// What changes between two neighbouring places, in tiles that are read and written.
  struct Step {
    int64_t opsBefore; ///< by the ops between them as they are
    int64_t opsAfter;  ///< by those that take their place when the slices stand on their other side
    int64_t slices;    ///< by the slices at the farther place
  };

  /// `rule` and `where` ("earlier") are for the remark.
  SliceMotion(llvm::StringRef rule, llvm::StringRef where, const SliceGroup &group, const DeviceLayout &layout)
      : group(group), layout(layout), rule(rule), where(where) {}

  /// Tiles that the slices move at place 0; nothing if they must stay there.
  virtual std::optional<int64_t> trafficHere() = 0;
  /// Notes the next place; nothing, and no place, where there is none.
  virtual std::optional<Step> advance() = 0;
  /// Whether of two equally good places the farther one is better.
  virtual bool prefersFarther() const { return false; }
  virtual void build(size_t place) = 0;

  const SliceGroup &group;
  const DeviceLayout &layout;

private:
  llvm::StringRef rule, where;
};

/// The same reshape (to `type`) or transpose of another value, which is no ONNX value.
mlir::Value rebuild(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value operand, mlir::RankedTensorType type);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_LAYOUT_SLICES_SLICEMOTION_H

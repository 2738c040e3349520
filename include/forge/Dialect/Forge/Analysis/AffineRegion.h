//===- AffineRegion.h - regions in which a scale can be folded into weights *- C++ -*-===//
//
// A program may compute s * v instead of a value v, or v minus an addend, if all users of v allow it: ops that are
// linear in v then compute s times their result, and products with weights fold the scale, or its inverse, into the
// weights. A region is a set of such values with all of their users. A rewrite names the change, and the region finds
// the weights into which it can be folded. Nothing outside of the region changes.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_AFFINEREGION_H
#define FORGE_DIALECT_FORGE_ANALYSIS_AFFINEREGION_H

#include "forge/Dialect/Forge/Analysis/AxisSlice.h"
#include "forge/Dialect/Forge/Analysis/LinearOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace forge {

//===----------------------------------------------------------------------===//
// Indices of an axis
//===----------------------------------------------------------------------===//

/// Whether `op` is a movement op, and the trailing axis of its result is that of its first operand.
bool keepsLastAxis(mlir::Operation *op);

/// Indices [begin, end) of an axis of `size` indices that a tensor has, or had before it was reshaped. The element with
/// row-major index e has index e / inner % size along that axis: the second of the 4 heads of [3, 4, 8] is {8, 4, 1,
/// 2}, also after a reshape to [3, 32].
struct AxisIndices {
  int64_t inner, size, begin, end;

  /// All elements, as the only index of an axis of size 1.
  static AxisIndices all(mlir::Value value) { return {tensorType(value).getNumElements(), 1, 0, 1}; }
  /// Indices of an axis of `value`, or all of it.
  static AxisIndices of(mlir::Value value, int64_t axis, int64_t begin, int64_t end);
  static AxisIndices of(mlir::Value value, int64_t axis) { return of(value, axis, 0, shapeOf(value)[axis]); }
  /// The axis of `value` along which `weight` has one element per index, if it has size 1 along all other axes.
  static std::optional<int64_t> axisOf(mlir::Value weight, mlir::Value value);

  bool isAll() const { return size == 1; }
  bool isNone() const { return begin == end; }
  int64_t count() const { return end - begin; }
  /// These indices as a range of an axis of a tensor of this type; none if they belong to no axis of it, or to all.
  std::optional<AxisRange> in(mlir::RankedTensorType type) const;
  bool operator==(const AxisIndices &other) const {
    return inner == other.inner && size == other.size && begin == other.begin && end == other.end;
  }
};

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// The values that are scaled together, or changed linearly in another way, and the weights that this changes.
class AffineRegion {
public:
  /// Whether the change may be folded into this weight, an operand of a multiplication or a product.
  using TakesFactor = llvm::function_ref<bool(mlir::OpOperand &)>;
  /// Whether a user that is no product with weights can absorb the change in another way.
  using TakesUse = llvm::function_ref<bool(mlir::OpOperand &)>;

  /// With `perIndex` the scale differs from index to index, so that the indices of a value cannot be united.
  explicit AffineRegion(bool perIndex) : perIndex(perIndex) {}

  /// Follows operand `reader` back to weights into which a scale of `indices` can be folded. Returns whether there are
  /// such weights, and all users of the changed values besides `reader` are linear in them.
  bool collectSources(mlir::OpOperand &reader, AxisIndices indices, TakesFactor takes);
  /// Follows all users of `value` to products with weights, into whose rows for `indices` the inverse of a scale can be
  /// folded. Returns whether all users are such products, or are accepted by `takes`; with `movesOnly` only movement
  /// ops may be in between.
  bool collectReaders(mlir::Value value, AxisIndices indices, bool movesOnly = false, TakesUse takes = {});

  /// The elements of a weight that change: [begin, end) of an axis of `size` elements, which `trailing` axes follow. If
  /// all of them change, the size is 1. A weight of size 1 along the axis is broadcast to `size` when it changes.
  struct ChangedElements {
    int64_t size, begin, end, trailing;

    bool isAll() const { return size == 1; }
    bool operator==(const ChangedElements &other) const {
      return size == other.size && begin == other.begin && end == other.end && trailing == other.trailing;
    }
  };
  const llvm::MapVector<mlir::OpOperand *, ChangedElements> &changedWeights() const { return weights; }
  /// The values that change, without the argument of collectReaders.
  auto changed() const { return llvm::make_first_range(values); }

private:
  static constexpr unsigned kMost = 64;

  bool follow(mlir::Value value, AxisIndices indices, TakesFactor takes);
  bool followTerm(llvm::ArrayRef<mlir::OpOperand *> term, AxisIndices indices, TakesFactor takes);
  bool followOperand(mlir::OpOperand &operand, AxisIndices indices, TakesFactor takes);
  bool passes(mlir::OpOperand &use, AxisIndices indices) const;
  bool isClosed(mlir::OpOperand &reader);
  bool followReader(mlir::OpOperand &use, AxisIndices indices, bool movesOnly, TakesUse takes);
  std::optional<ChangedElements> changedBy(mlir::Value value, AxisIndices indices) const;
  /// Returns false if the weight must not change, or was recorded with other elements.
  bool addWeight(mlir::OpOperand &weight, std::optional<ChangedElements> where);
  bool addColumns(const WeightProduct &product, AxisIndices indices);
  bool addRows(const WeightProduct &product, AxisIndices indices);
  /// The indices of the operand from which `indices` of the result are computed, or without `toOperand` the inverse;
  /// none if they are not indices of one axis.
  std::optional<AxisIndices> through(mlir::OpOperand &use, AxisIndices indices, bool toOperand) const;
  AxisIndices widened(AxisIndices indices, mlir::Value value) const;

  bool perIndex;
  unsigned side = 0; ///< the operand of a product of two activations that is followed first
  llvm::MapVector<mlir::Value, AxisIndices> values;
  llvm::SmallDenseMap<mlir::Value, AxisIndices>
      wider;                                   ///< the united indices of values whose users need different indices
  llvm::SetVector<mlir::OpOperand *> followed; ///< uses that are linear: a scale of the operand scales the result
  llvm::MapVector<mlir::OpOperand *, ChangedElements> weights;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_AFFINEREGION_H

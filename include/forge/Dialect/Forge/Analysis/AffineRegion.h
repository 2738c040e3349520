//===- AffineRegion.h - what is linear in a value, and all that reads it *- C++ -*-===//
//
// A program may compute s * v in the place of a value v, or v less a term, if all that reads v takes part: what is
// linear in v gives s times its result, and a product with weights takes the factor, or its inverse, into those. A
// region is a set of such values with each of their readers; nothing else of the program changes. Rewrites say what
// they move, and the region says which weights it moves into.
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
// Items
//===----------------------------------------------------------------------===//

/// Whether `op` moves elements, and the last axis of what it gives is that of its first operand.
bool keepsLastAxis(mlir::Operation *op);

/// Items [begin, end) of an axis that a tensor has, or had before it was reshaped: element e, in row-major order, is of
/// item e / inner % size. A reshape changes none of these numbers.
struct Items {
  int64_t inner, size, begin, end;

  /// All elements, as one item.
  static Items all(mlir::Value value) { return {tensorType(value).getNumElements(), 1, 0, 1}; }
  /// Items of an axis.
  static Items of(mlir::Value value, int64_t axis, int64_t begin, int64_t end);
  static Items of(mlir::Value value, int64_t axis) { return of(value, axis, 0, shapeOf(value)[axis]); }
  /// The axis of `value` along which `weight` has an item each, and 1 elsewhere, as it broadcasts to it.
  static std::optional<int64_t> axisOf(mlir::Value weight, mlir::Value value);

  bool isAll() const { return size == 1; }
  bool isNone() const { return begin == end; }
  int64_t count() const { return end - begin; }
  /// The axis of a tensor of this type that these are items of, and which; none where they are of no axis, or of all.
  std::optional<AxisRange> in(mlir::RankedTensorType type) const;
  bool operator==(const Items &other) const {
    return inner == other.inner && size == other.size && begin == other.begin && end == other.end;
  }
};

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Values that get a factor together, or another linear change, and the weights that this takes.
class AffineRegion {
public:
  /// Whether a weight that an op of two factors multiplies by may take the change.
  using TakesFactor = llvm::function_ref<bool(mlir::OpOperand &)>;
  /// Whether a reader that is no product with weights takes the change some other way.
  using TakesUse = llvm::function_ref<bool(mlir::OpOperand &)>;

  /// With `perItem` items differ in what they get; the items of a value are not taken together then.
  explicit AffineRegion(bool perItem) : perItem(perItem) {}

  /// Follows what `reader` reads to weights that can have a factor of those items. Whether there are such, and each use
  /// of a value that would change passes the factor on, but for `reader`.
  bool collectSources(mlir::OpOperand &reader, Items items, TakesFactor takes);
  /// Follows all that reads `value` to products with weights, of which the rows for those items can have the inverse of
  /// a factor. Whether all readers are such, or are taken by `takes`; with `movesOnly` nothing but movement lies
  /// between.
  bool collectReaders(mlir::Value value, Items items, bool movesOnly, TakesUse takes);

  /// A use of a weight that takes the change, along the elements of an axis with `trailing` axes after it.
  struct Place {
    int64_t size, begin, end, trailing;

    bool isAll() const { return size == 1; }
    bool operator==(const Place &other) const {
      return size == other.size && begin == other.begin && end == other.end && trailing == other.trailing;
    }
  };
  const llvm::MapVector<mlir::OpOperand *, Place> &places() const { return weights; }
  /// The values that change, `value` of collectReaders not among them.
  auto changed() const { return llvm::make_first_range(values); }

private:
  static constexpr unsigned kMost = 64;

  bool follow(mlir::Value value, Items items, TakesFactor takes);
  bool followTerm(llvm::ArrayRef<mlir::OpOperand *> term, Items items, TakesFactor takes);
  bool followOperand(mlir::OpOperand &operand, Items items, TakesFactor takes);
  bool passes(mlir::OpOperand &use, Items items) const;
  bool isClosed(mlir::OpOperand &reader);
  bool followReader(mlir::OpOperand &use, Items items, bool movesOnly, TakesUse takes);
  std::optional<Place> placeIn(mlir::Value value, Items items) const;
  bool place(mlir::OpOperand &weight, std::optional<Place> where);
  bool placeColumns(const WeightProduct &product, Items items);
  bool placeRows(const WeightProduct &product, Items items);
  /// The items of an operand that `items` of the result are made of, or the other way round; nothing where they are no
  /// items of one axis.
  std::optional<Items> through(mlir::OpOperand &use, Items items, bool toOperand) const;
  Items joined(Items items, mlir::Value value) const;

  bool perItem;
  unsigned side = 0; ///< of two factors, the one that is followed first
  llvm::MapVector<mlir::Value, Items> values;
  llvm::SmallDenseMap<mlir::Value, Items> wider; ///< what values have of which several readers ask for different items
  llvm::SetVector<mlir::OpOperand *> followed;   ///< uses through which a factor of the operand is one of the result
  llvm::MapVector<mlir::OpOperand *, Place> weights;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_AFFINEREGION_H

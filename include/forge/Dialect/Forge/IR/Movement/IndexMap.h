//===- IndexMap.h - the algebra of movement ops -----------------*- C++ -*-===//
//
// Reshapes, transposes, slices and repeats compute nothing: each element of the result is an element of the operand. An
// IndexMap maps the row-major index of a result element to that of the operand element. It has a normal form, so that
// two chains of movement ops are equivalent exactly if their maps are equal.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_MOVEMENT_INDEXMAP_H
#define FORGE_DIALECT_FORGE_IR_MOVEMENT_INDEXMAP_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"
#include "forge/Dialect/Forge/IR/Movement/SliceRange.h"

namespace forge {

using Shape = llvm::SmallVector<int64_t>;

/// The two axes that a transpose swaps, counted from the front.
using AxisSwap = std::pair<int64_t, int64_t>;
AxisSwap swapOf(TransposeOp op);
/// The axis of a transpose's operand that becomes `axis` of its result. The same function maps operand axes to result
/// axes.
int64_t transposedAxis(TransposeOp op, int64_t axis);

/// Whether `op`, which may be null, changes the shape only.
bool isReshape(mlir::Operation *op);

/// Maps each element of a value to an element of a source. The row-major index of an element is written in mixed radix,
/// with digits d_1 ... d_k of the sizes n_1 ... n_k. It is element base + d_1 * s_1 + ... + d_k * s_k of the source.
///
/// A reshape keeps the digits, a transpose permutes them, a slice changes sizes and the base, and a repeat adds a digit
/// of stride 0. In the normal form, neighbours with s_i = n_(i+1) * s_(i+1) are merged, and no digit has size 1.
class IndexMap {
public:
  struct Digit {
    int64_t size, stride;
    bool operator==(const Digit &other) const { return size == other.size && stride == other.stride; }
  };
  using Digits = llvm::SmallVector<Digit>;

  /// The identity of a source with at least one element.
  explicit IndexMap(llvm::ArrayRef<int64_t> shape) : IndexMap(shape, {{elementsOf(shape), 1}}) {}
  /// The map of a chain of ops from the operand of the last one to the result of the first one: `ops` lists users
  /// before producers. None if that is no IndexMap.
  static std::optional<IndexMap> of(llvm::ArrayRef<mlir::Operation *> ops);

  // Each of these applies a movement op to the value. Returns false if a digit would have to be split; the map is then
  // invalid.
  bool apply(mlir::Operation *op);
  /// Applies the kind of movement of `op`, a reshape or a transpose, to this value, with a result of shape `to`.
  bool move(mlir::Operation *op, llvm::ArrayRef<int64_t> to);
  bool reshape(llvm::ArrayRef<int64_t> to);
  /// Axis i of the result is axis order[i] of the value.
  bool permute(llvm::ArrayRef<int64_t> order);
  bool slice(AxisSliceRange slice);
  /// Repeats each element of an axis `count` times, or with `wholes` the whole axis.
  bool repeat(int64_t axis, int64_t count, bool wholes);
  bool broadcast(llvm::ArrayRef<int64_t> to);

  /// A value of shape `from` broadcasts to `whole`. Returns the shape to which that value has to be reshaped, so that
  /// it broadcasts to `to`, a reshape of `whole`, with the same elements. None if there is no such shape.
  static std::optional<Shape> broadcastShape(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> whole,
                                             llvm::ArrayRef<int64_t> to);

  llvm::ArrayRef<int64_t> shape() const { return sizes; }
  llvm::ArrayRef<Digit> getDigits() const { return digits; }
  bool operator==(const IndexMap &other) const {
    return sizes == other.sizes && base == other.base && digits == other.digits;
  }
  /// Whether the value is a reshape of a source of shape `from`.
  bool isReshapeOf(llvm::ArrayRef<int64_t> from) const;

  /// The digits of each axis of the value; none if an axis is no product of digits, or of parts of digits.
  std::optional<llvm::SmallVector<Digits>> axes() const;
  /// The inverse map, to a source of shape `from`; none if this map is not one to one.
  std::optional<IndexMap> inverse(llvm::ArrayRef<int64_t> from) const;
  /// The slice of a source of shape `from`, as a range of each axis, that contains exactly the elements of the value;
  /// none if they are no slice. `rest` becomes the map from that slice to the value.
  std::optional<llvm::SmallVector<SliceRange>> slices(llvm::ArrayRef<int64_t> from, IndexMap *rest = nullptr) const;

  /// The number of elements; 0 if there are 2^63 or more.
  static int64_t elementsOf(llvm::ArrayRef<int64_t> shape);
  /// Whether there are maps of sources of `shape`: it has at least one and fewer than 2^63 elements.
  static bool hasMap(llvm::ArrayRef<int64_t> shape) { return elementsOf(shape) != 0; }

private:
  IndexMap(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Digit> digits, int64_t base = 0) : sizes(shape), base(base) {
    setDigits(digits);
  }
  void setDigits(llvm::ArrayRef<Digit> made);
  void setAxes(llvm::ArrayRef<Digits> made);
  bool transpose(AxisSwap swap);

  Shape sizes;
  int64_t base = 0;
  Digits digits;
};

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_MOVEMENT_INDEXMAP_H

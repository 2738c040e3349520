//===- IndexMap.h - where movement takes elements from ----------*- C++ -*-===//
//
// The algebra of movement. Reshapes, transposes, slices and repeats compute nothing: each element of what they give is
// one of their operand. Which one is a map from numbers to numbers, elements being counted in row-major order, and the
// map is kept in a normal form: two pieces of a program move elements alike exactly if their maps are equal.
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
/// The axis of the operand of a transpose that becomes `axis` of its result, and the other way round.
int64_t transposedAxis(TransposeOp op, int64_t axis);

/// Whether `op` changes the shape only; may be null.
bool isReshape(mlir::Operation *op);

/// Which element of a source each element of a value is. The number of an element of the value is written in digits
/// d_1 ... d_k of the sizes n_1 ... n_k; it is element base + d_1 * s_1 + ... + d_k * s_k of the source.
///
/// A reshape changes no digit, a transpose their order, a slice their sizes and the base; what repeats elements adds a
/// digit of stride 0. Neighbours that are one digit (s_i = n_(i+1) * s_(i+1)) are one, and none has size 1.
class IndexMap {
public:
  struct Digit {
    int64_t size, stride;
    bool operator==(const Digit &other) const { return size == other.size && stride == other.stride; }
  };
  using Digits = llvm::SmallVector<Digit>;

  /// The source itself, which has elements.
  explicit IndexMap(llvm::ArrayRef<int64_t> shape) : IndexMap(shape, {{elementsOf(shape), 1}}) {}
  /// What `ops` make of what the last of them reads, the first of them the last that is applied; none where that is no
  /// such map.
  static std::optional<IndexMap> of(llvm::ArrayRef<mlir::Operation *> ops);

  // Another value, made of this one; false, and no map any more, where digits would have to be cut.
  bool apply(mlir::Operation *op);
  /// What `op`, a reshape or a transpose, does, but to a value of any shape: `to` is what it makes.
  bool move(mlir::Operation *op, llvm::ArrayRef<int64_t> to);
  bool reshape(llvm::ArrayRef<int64_t> to);
  /// Axis i of the value is axis order[i] of the one before.
  bool permute(llvm::ArrayRef<int64_t> order);
  bool slice(AxisSliceRange slice);
  /// Each element of an axis, or with `wholes` the axis, `count` times.
  bool repeat(int64_t axis, int64_t count, bool wholes);
  bool broadcast(llvm::ArrayRef<int64_t> to);

  /// The shape in which a value of shape `from`, which broadcasts to `whole`, broadcasts to `to`, a reshape of that, in
  /// the same way; none where no reshape of it does.
  static std::optional<Shape> broadcastShape(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> whole,
                                             llvm::ArrayRef<int64_t> to);

  llvm::ArrayRef<int64_t> shape() const { return sizes; }
  llvm::ArrayRef<Digit> getDigits() const { return digits; }
  bool operator==(const IndexMap &other) const {
    return sizes == other.sizes && base == other.base && digits == other.digits;
  }
  /// Whether the value is a reshape of a source of shape `from`.
  bool isReshapeOf(llvm::ArrayRef<int64_t> from) const;

  /// The digits of each axis of the value; none where an axis is no product of digits, or of parts of them.
  std::optional<llvm::SmallVector<Digits>> axes() const;
  /// The map back, to a source of shape `from`; none where the value has not each element of it once.
  std::optional<IndexMap> inverse(llvm::ArrayRef<int64_t> from) const;
  /// The ranges, one for each axis, of a source of shape `from` that have the elements of the value and no others; none
  /// where those are no such slice. What is left is `rest`, a map from the slice.
  std::optional<llvm::SmallVector<SliceRange>> slices(llvm::ArrayRef<int64_t> from, IndexMap *rest = nullptr) const;

  /// 0 also where they are more than 2^63, of which there are no maps.
  static int64_t elementsOf(llvm::ArrayRef<int64_t> shape);

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

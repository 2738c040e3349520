//===- MovementSteps.h - reorderings of a tensor in few steps ---*- C++ -*-===//

#ifndef FORGE_LIB_DIALECT_FORGE_IR_OPS_MOVEMENTSTEPS_H
#define FORGE_LIB_DIALECT_FORGE_IR_OPS_MOVEMENTSTEPS_H

#include "forge/Dialect/Forge/IR/MovementChains.h"

namespace forge {

using Shape = llvm::SmallVector<int64_t>;

/// A value as digits of another one, its source. Axes of size 1 have none.
class Digits {
public:
  /// The source itself; its sizes are positive.
  explicit Digits(llvm::ArrayRef<int64_t> shape) {
    for (int64_t size : shape) {
      axes.emplace_back();
      if (size == 1)
        continue;
      axes.back().push_back(sizes.size());
      source.push_back(sizes.size());
      sizes.push_back(size);
    }
  }

  void transpose(AxisSwap swap) { std::swap(axes[swap.first], axes[swap.second]); }
  /// False where an axis is no product of digits, or of parts of them.
  bool reshape(llvm::ArrayRef<int64_t> shape);

  /// The place of each digit in the source, in the order of the value.
  llvm::SmallVector<int64_t> order() const {
    llvm::SmallVector<int64_t> places;
    for (llvm::ArrayRef<int64_t> axis : axes)
      for (int64_t digit : axis)
        places.push_back(llvm::find(source, digit) - source.begin());
    return places;
  }

  /// The digit behind another one in the source.
  std::optional<int64_t> after(int64_t digit) const {
    const int64_t *next = llvm::find(source, digit) + 1;
    return next == source.end() ? std::nullopt : std::optional(*next);
  }

  int64_t sizeOf(llvm::ArrayRef<int64_t> axis) const {
    int64_t size = 1;
    for (int64_t digit : axis)
      size *= sizes[digit];
    return size;
  }
  int64_t sizeAt(int64_t place) const { return sizes[source[place]]; }

  llvm::SmallVector<llvm::SmallVector<int64_t>> axes; ///< digits of each axis of the value

private:
  llvm::SmallVector<int64_t> sizes;  ///< of each digit
  llvm::SmallVector<int64_t> source; ///< digits in the order of the source
};

/// A reshape, swaps of axes, a reshape, as far as they are needed.
struct Steps {
  Shape from, apart, to;
  llvm::SmallVector<AxisSwap> swaps;

  Shape turned() const {
    Shape shape = apart;
    for (AxisSwap swap : swaps)
      std::swap(shape[swap.first], shape[swap.second]);
    return shape;
  }
  size_t kernels() const { return (from != apart) + !swaps.empty() + (turned() != to); }
  size_t calls() const { return kernels() + swaps.size() - !swaps.empty(); }

  mlir::Value build(mlir::PatternRewriter &rewriter, mlir::Value source, mlir::Location loc) const;
};

/// The fewest of the steps that make the digits from the source: on the axes of the source, on those of the result, or
/// on as few as there can be.
Steps bestSteps(const Digits &digits, llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_IR_OPS_MOVEMENTSTEPS_H

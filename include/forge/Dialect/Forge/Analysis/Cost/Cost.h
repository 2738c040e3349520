//===- Cost.h - the cost model of ops and programs --------------*- C++ -*-===//
//
// Estimates multiply-adds, bytes, tiles read and written, and time on a device, to compare programs and to assign ops
// to devices. No device was measured.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_COST_COST_H
#define FORGE_DIALECT_FORGE_ANALYSIS_COST_COST_H

#include "forge/Dialect/Forge/Analysis/Cost/DeviceLayout.h"

namespace forge {

// Saturating arithmetic on counts that are not negative.
int64_t addCounts(int64_t a, int64_t b);
int64_t multiplyCounts(int64_t a, int64_t b);

/// Multiply-adds of a matrix product that contracts an axis of `contracted` elements.
int64_t matmulMultiplyAdds(mlir::RankedTensorType result, int64_t contracted);
/// Multiply-adds of a convolution with filters [out, in / groups, window...]: for each element of `outputs` as many as
/// a filter has elements. For a transposed convolution `outputs` is its input, of which each element is multiplied by a
/// whole filter.
int64_t convolutionMultiplyAdds(mlir::RankedTensorType outputs, mlir::RankedTensorType filters);
/// Multiply-adds of a forge op: of a matrix product or a convolution, 0 for any other op.
int64_t multiplyAdds(mlir::Operation *op);

/// Bytes of a dense tensor whose elements have `bits` bits, and at least one byte. Dynamic sizes count as 1.
int64_t denseBytes(llvm::ArrayRef<int64_t> shape, unsigned bits);

/// The cost of one run on the device.
struct OpCost {
  int64_t calls = 0;        ///< Forge calls, if they are counted
  int64_t kernels = 0;      ///< TTNN calls
  int64_t bytes = 0;        ///< bytes that kernels read and write, in whole tiles
  int64_t padding = 0;      ///< bytes of these that are padding
  int64_t moved = 0;        ///< bytes of these that movement ops read and write
  int64_t multiplyAdds = 0; ///< multiply-adds of matrix products and convolutions
  int64_t time = 0;         ///< picoseconds: per kernel a launch, and the longer of its memory and its compute time

  /// Adds kernels that together read and write `bytes` and do `multiplyAdds`; a negative number of kernels removes
  /// them.
  void addKernels(int64_t count, int64_t bytes = 0, int64_t multiplyAdds = 0,
                  const DeviceLayout &layout = DeviceLayout());
  /// Adds a kernel that reads a value of type `from` and writes its elements as `to`.
  void addMove(mlir::RankedTensorType from, mlir::RankedTensorType to, const DeviceLayout &layout = DeviceLayout());
  OpCost &operator+=(const OpCost &other);
};

/// TTNN calls of an op in its context: those of its record, but 0 for an op that tt-mlir fuses into another one: a
/// unary function next to arithmetic, the product of a SiLU, a transpose of an operand of a matrix product.
int64_t kernelsOf(mlir::Operation *op);
/// The cost of an op in its context; 0 for constants and ops on constants. Overflowing layouts count as INT64_MAX.
OpCost costOf(mlir::Operation *op, const DeviceLayout &layout);

/// Whether ops with cost `before` should be replaced by ops with cost `after`: neither the time nor the number of calls
/// increases, and one of them decreases. `before` may also be the cost that a rewrite saves, and `after` the empty
/// cost.
bool pays(const OpCost &before, const OpCost &after);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_COST_COST_H

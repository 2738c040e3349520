//===- Indexing.h - the gather and scatter converters -----------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_INDEXING_INDEXING_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_INDEXING_INDEXING_H

#include "../Elementwise/Elementwise.h"
#include "forge/Dialect/Forge/IR/Constants/Evaluate.h"

namespace forge {

/// Overwrites rows of `cache` along `axis` by those of `update`, from `first` on (one index per batch row, with the
/// rank of the cache). One select per row, which is exact for any index. `circular`: rows wrap around at the end.
mlir::Value overwriteRows(OnnxNode &node, ForgeBuilder &builder, mlir::Value cache, mlir::Value update,
                          mlir::Value first, int64_t axis, bool circular = false);

/// Wraps ONNX indices in [-size, size) to [0, size): constant ones are checked, others are wrapped with a Where.
mlir::Value wrappedIndices(OnnxNode &node, ForgeBuilder &builder, mlir::Value indices, int64_t size);
/// Gathers slices of `x` along `axis`: the result has the shape x.shape[:axis] + indices.shape + x.shape[axis+1:].
mlir::Value gatherSlices(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value indices, int64_t axis);
/// Gathers slices of axis 0 of `x` at `indices`, which have any rank and are in [0, rows).
mlir::Value takeRows(ForgeBuilder &builder, mlir::Value x, mlir::Value indices);
/// One component of each index tuple, without the trailing axis of `indices`. A constant component is returned as a
/// constant, even if others are not.
mlir::Value tupleComponent(ForgeBuilder &builder, mlir::Value indices, int64_t component);
/// The row of each index tuple (the trailing axis of `indices`) in an operand of `shape` whose first batchDims + tuple
/// axes are flattened; null, with a reason, if the shapes do not fit.
mlir::Value tupleRows(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<int64_t> shape, mlir::Value indices,
                      int64_t batchDims);
/// The flat position of each element that `indices` select along `axis` of an operand of `shape`.
mlir::Value elementPositions(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<int64_t> shape, mlir::Value indices,
                             int64_t axis);

/// For a ScatterND whose tuples vary along one axis of the operand only: that axis, and operands for an equivalent
/// ScatterElements. `indices` broadcast to `updates`, which have the shape of the operand except along the axis.
struct ScatterAxis {
  int64_t axis;
  mlir::Value indices, updates;
};
/// nullopt unless the tuples cover all other axes completely, with distinct updates for each of their elements.
std::optional<ScatterAxis> scatterAxis(ForgeBuilder &builder, llvm::ArrayRef<int64_t> shape, mlir::Value indices,
                                       mlir::Value updates);

/// Scatters `updates` [U, ...] to the rows `rows` [U] of `data` [R, ...].
mlir::Value scatterRows(OnnxNode &node, ForgeBuilder &builder, mlir::Value data, mlir::Value rows, mlir::Value updates,
                        llvm::StringRef reduction);

// Converters that have files of their own.
ConverterFunction convertGather, convertGatherElements, convertGatherND;
ConverterFunction convertScatterElements, convertScatterND, convertTensorScatter;
ConverterFunction convertOneHot, convertCompress, convertNonZero, convertUnique;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_INDEXING_INDEXING_H

//===- Indexing.h - the gather and scatter converters -----------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_INDEXING_INDEXING_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_INDEXING_INDEXING_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// `cache` with the rows of `update` along `axis` written over its own, from `first` (one index per batch row, with the
/// rank of the cache) on: one select per row, exact for any index. Rows beyond the end start over where `circular`.
mlir::Value overwriteRows(OnnxNode &node, ForgeBuilder &builder, mlir::Value cache, mlir::Value update,
                          mlir::Value first, int64_t axis, bool circular = false);

/// Indices in [0, size) from ONNX ones in [-size, size): known ones are checked, unknown ones wrap with a Where.
mlir::Value wrappedIndices(OnnxNode &node, ForgeBuilder &builder, mlir::Value indices, int64_t size);
/// Slices of `x` along `axis`: the result is x.shape[:axis] + indices.shape + x.shape[axis+1:].
mlir::Value gatherSlices(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value indices, int64_t axis);
/// Rows (slices of axis 0) of `x` at `indices`, of any rank and all in [0, rows); known ones are a take.
mlir::Value takeRows(ForgeBuilder &builder, mlir::Value x, mlir::Value indices);
/// One component of each index tuple, without the last axis of `indices`; one that is known is a constant, also where
/// others are not.
mlir::Value tupleComponent(ForgeBuilder &builder, mlir::Value indices, int64_t component);
/// The row of each index tuple (the last axis of `indices`) in an operand of `shape` whose first batchDims + tuple axes
/// are flattened, or null and a reason.
mlir::Value tupleRows(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<int64_t> shape, mlir::Value indices,
                      int64_t batchDims);
/// The position of each element that `indices` name along `axis`, in an operand of `shape`, flattened.
mlir::Value elementPositions(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<int64_t> shape, mlir::Value indices,
                             int64_t axis);

/// The one axis along which a ScatterND writes to computed positions: `indices` broadcast to `updates`, which have the
/// shape of the operand but along that axis, as for ScatterElements.
struct ScatterAxis {
  int64_t axis;
  mlir::Value indices, updates;
};
/// None where the tuples do not write whole other axes, each of their elements by updates of its own.
std::optional<ScatterAxis> scatterAxis(ForgeBuilder &builder, llvm::ArrayRef<int64_t> shape, mlir::Value indices,
                                       mlir::Value updates);

/// `updates` [U, ...] go to the rows of `data` [R, ...] that `rows` [U] name.
mlir::Value scatterRows(OnnxNode &node, ForgeBuilder &builder, mlir::Value data, mlir::Value rows, mlir::Value updates,
                        llvm::StringRef reduction);

// Converters of other files than the table's.
ConverterFunction convertGather, convertGatherElements, convertGatherND;
ConverterFunction convertScatterElements, convertScatterND;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_INDEXING_INDEXING_H

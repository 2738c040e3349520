//===- Movement.h - the movement converters ---------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// Indices in [0, size) from ONNX ones in [-size, size): known ones are checked, unknown ones wrap with a Where.
mlir::Value wrappedIndices(OnnxNode &node, ForgeBuilder &builder, mlir::Value indices, int64_t size);
/// Rows (slices of axis 0) of `x` at `indices`, of any rank and all in [0, rows); known ones are a take.
mlir::Value takeRows(ForgeBuilder &builder, mlir::Value x, mlir::Value indices);
/// The row of each index tuple (the last axis of `indices`) in an operand of `shape` whose first batchDims + tuple axes
/// are flattened, or null and a reason.
mlir::Value tupleRows(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<int64_t> shape, mlir::Value indices,
                      int64_t batchDims);
/// The position of each element that `indices` name along `axis`, in an operand of `shape`, flattened.
mlir::Value elementPositions(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<int64_t> shape, mlir::Value indices,
                             int64_t axis);

void registerCol2ImOps(OnnxRegistry &registry);
void registerGatherOps(OnnxRegistry &registry);
void registerGridSampleOps(OnnxRegistry &registry);
void registerOneHotOps(OnnxRegistry &registry);
void registerPadOps(OnnxRegistry &registry);
void registerReorderOps(OnnxRegistry &registry);
void registerResizeOps(OnnxRegistry &registry);
void registerScatterOps(OnnxRegistry &registry);
void registerSelectOps(OnnxRegistry &registry);
void registerSliceOps(OnnxRegistry &registry);
void registerSplitOps(OnnxRegistry &registry);
void registerTileOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_MOVEMENT_MOVEMENT_H

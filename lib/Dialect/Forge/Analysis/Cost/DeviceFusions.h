//===- DeviceFusions.h - ops that the device's compiler fuses ----*- C++ -*-===//

#ifndef FORGE_ANALYSIS_COST_DEVICEFUSIONS_H
#define FORGE_ANALYSIS_COST_DEVICEFUSIONS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// The user of a value that has one use; null otherwise.
mlir::Operation *onlyUser(mlir::Value value);
/// Whether `op` is a cast to bfloat16 that is fused into the arithmetic before it.
bool isFusedCast(mlir::Operation *op);
/// Whether `op`, or x * sigmoid(x) whose last op it is, is fused into the producer of its operand or into its user.
bool isFused(mlir::Operation *op);

/// Whether `op` is a pool of the whole image, which the device computes as a mean of its pixels.
bool isMeanOfImage(mlir::Operation *op);
/// The type of an image [N, H, W, C] between window ops on the device: [1, 1, N * H * W, C].
mlir::RankedTensorType asPixels(mlir::RankedTensorType type);
/// The operand of an elementwise op whose other operands are scalars, or the bias of a convolution; else null. The
/// device's compiler moves a reshape between an image and rows of pixels across such an op.
mlir::Value changedByElement(mlir::Operation *op);
/// Whether a value is in rows of pixels: it is the result of a window op, maybe after elementwise ops.
bool isOfWindow(mlir::Value value);
/// The type of a token [N, heads, 1, D] that is written into a cache on the device: [N, 1, heads, D].
mlir::RankedTensorType asRowsOfHeads(mlir::RankedTensorType token);
/// Whether all users of a value, maybe after elementwise ops, read rows of pixels.
bool allReadPixels(mlir::Value value, int depth = 0);
/// The types of the operand and of the result of a reshape, as rows of pixels, or of heads, if an op next to it uses
/// these.
mlir::RankedTensorType reshapedFrom(ReshapeOp op);
mlir::RankedTensorType reshapedTo(ReshapeOp op);
/// Whether a reshape is no kernel.
bool isFreeReshape(mlir::Operation *op);

/// Whether `op`, which may be null, concatenates columns that are no whole tiles, which the device does in rows.
bool concatenatesRows(mlir::Operation *op);
/// Whether the device computes `value` in rows, so that ops that read rows need no conversion: a concatenation or a
/// maximum pool, maybe before reshapes that are no kernel.
bool isInRows(mlir::Value value);
/// Whether `user` reads `value`, which is computed in rows, in rows.
bool readsRows(mlir::Operation *user, mlir::Value value);
/// Whether all users of `value`, which is computed in rows, read it in rows. The device converts it for the others.
bool allReadRows(mlir::Value value);

/// Whether `op` is a transpose that the compiler merges with the next one, or moves after the slices that use it.
bool isDeferred(mlir::Operation *op);
/// If deferred transposes compute `value`, their operand, and `type` (that of `value`, or of a slice of it) with the
/// axes in the order before them; else `value` and `type`.
std::pair<mlir::RankedTensorType, mlir::Value> beforeDeferred(mlir::RankedTensorType type, mlir::Value value);

} // namespace forge

#endif // FORGE_ANALYSIS_COST_DEVICEFUSIONS_H

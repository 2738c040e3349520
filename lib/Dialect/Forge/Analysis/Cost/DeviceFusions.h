//===- DeviceFusions.h - ops that are a part of other kernels ----*- C++ -*-===//

#ifndef FORGE_ANALYSIS_COST_DEVICEFUSIONS_H
#define FORGE_ANALYSIS_COST_DEVICEFUSIONS_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// The user of a value that has one use; null otherwise.
mlir::Operation *onlyUser(mlir::Value value);
/// A cast to bfloat16 that is the type of the result of the arithmetic before it.
bool isFusedCast(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Images between windows
//===----------------------------------------------------------------------===//

/// A pool of the whole image, which the device computes as a mean of its pixels.
bool isMeanOfImage(mlir::Operation *op);
/// Whether an op reads and writes images as rows of pixels, one after the other. A mean of smaller windows was not seen
/// to.
bool isWindow(mlir::Operation *op);
/// [N, H, W, C] as the device has it between windows: [1, 1, N * H * W, C].
mlir::RankedTensorType asPixels(mlir::RankedTensorType type);
/// The operand that an op changes element by element, if the others are numbers, or a convolution's bias: the reshape
/// of an image to rows of pixels, or from them, moves across it.
mlir::Value changedByElement(mlir::Operation *op);
/// Whether a value is in rows of pixels: of a window, with what is computed of each element.
bool isOfWindow(mlir::Value value);
/// Whether all that reads a value, or what is computed of each of its elements, takes rows of pixels.
bool allReadPixels(mlir::Value value, int depth = 0);
/// The type of a reshape's operand, and of its result, where windows next to it use rows of pixels.
mlir::RankedTensorType reshapedFrom(ReshapeOp op);
mlir::RankedTensorType reshapedTo(ReshapeOp op);
/// Whether a reshape is no kernel.
bool isFreeReshape(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

/// A transpose that the compiler makes a part of the next, or moves to the results of the slices that read it.
bool isDeferred(mlir::Operation *op);
/// The type that `type` had before the deferred transposes of `value`, and what these read.
std::pair<mlir::RankedTensorType, mlir::Value> beforeDeferred(mlir::RankedTensorType type, mlir::Value value);

} // namespace forge

#endif // FORGE_ANALYSIS_COST_DEVICEFUSIONS_H

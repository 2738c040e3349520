//===- JoinAxes.h - axes that ops carry along -------------------*- C++ -*-===//
//
// Axes count from the back here, for operands of several ranks broadcast: -1 is the last one. That of a value of rank R
// which is R + 1 axes from the back is a new one, in front of the others, along which the value has one element.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_JOINAXES_H
#define FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_JOINAXES_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// The size of `value` along an axis: 1 for one that it has not.
int64_t sizeAlong(mlir::Value value, int64_t axis);
/// The new axis of `value`.
inline int64_t newAxis(mlir::Value value) { return -tensorType(value).getRank() - 1; }
inline bool isNewAxis(mlir::Value value, int64_t axis) { return axis == newAxis(value); }

/// In place of an axis: the operand is the same for the whole result.
inline constexpr int64_t kSameForAll = 0;

/// Axes that may be meant: several where a reshape has axes of one element beside it. None where there is none.
using AxisChoices = llvm::SmallVector<int64_t, 2>;
/// The axis of operand `number` that becomes `axis` of the result of `op`, where each slice of the result along it is
/// `op` on the slices of the operands: the same op, but for a shape that it names.
AxisChoices operandAxes(mlir::Operation *op, unsigned number, int64_t axis);
/// The axis of the result of `op` that `axis` of operand `number` becomes.
AxisChoices resultAxes(mlir::Operation *op, unsigned number, int64_t axis);

/// Whether operands of `op` of size 1 along an axis are read by all of the result.
bool broadcastsOperands(mlir::Operation *op);

} // namespace forge

#endif // FORGE_LIB_DIALECT_FORGE_TRANSFORMS_JOIN_JOINAXES_H

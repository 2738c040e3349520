//===- CarriedAxes.h - axes that ops carry along ----------------*- C++ -*-===//
//
// Axes count from the back here, for operands of several ranks broadcast: -1 is the last one. That of a value of rank R
// which is R + 1 axes from the back is a new leading axis, along which the value has one element.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_CARRIEDAXES_H
#define FORGE_DIALECT_FORGE_ANALYSIS_CARRIEDAXES_H

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

/// The same for axes that are counted from the front, of which there is one: that of the operand that `axis` of the
/// result is, or with `toResult` the other way round. A slice and a concatenation cut the axis that they work along.
/// None where the axis is none of the other value, or would have another place in it.
std::optional<int64_t> pairedAxis(mlir::OpOperand &use, int64_t axis, bool toResult);

/// Has `op` name the axes that it works along from the back, so that new leading axes do not change their numbers.
void countAxesFromBack(mlir::Operation *op);

/// Whether operands of `op` of size 1 along an axis are read by all of the result.
bool broadcastsOperands(mlir::Operation *op);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_CARRIEDAXES_H

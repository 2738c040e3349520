//===- CarriedAxes.h - axes along which ops commute with slicing -*- C++ -*-===//
//
// Axes are negative here, counted from the back, because operands of different ranks broadcast: -1 is the trailing
// axis. Axis -(R + 1) of a value of rank R is a new leading axis of size 1.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_ANALYSIS_CARRIEDAXES_H
#define FORGE_DIALECT_FORGE_ANALYSIS_CARRIEDAXES_H

#include "forge/Dialect/Forge/IR/ForgeOps.h"

namespace forge {

/// The size of `value` along an axis; 1 for a leading axis that it does not have.
int64_t sizeAlong(mlir::Value value, int64_t axis);
/// The new leading axis of `value`.
inline int64_t newAxis(mlir::Value value) { return -tensorType(value).getRank() - 1; }
inline bool isNewAxis(mlir::Value value, int64_t axis) { return axis == newAxis(value); }

/// Instead of an axis: all slices of the result read the whole operand.
inline constexpr int64_t kSameForAll = 0;

/// The possible axes: none if there is no such axis, several if a reshape has axes of size 1 next to it.
using AxisChoices = llvm::SmallVector<int64_t, 2>;
/// The axis of operand `number` that becomes `axis` of the result, if `op` commutes with slicing along it: a slice of
/// the result is `op` (with another shape attribute, if it has one) applied to slices of the operands.
AxisChoices operandAxes(mlir::Operation *op, unsigned number, int64_t axis);
/// The inverse: the axis of the result that `axis` of operand `number` becomes.
AxisChoices resultAxes(mlir::Operation *op, unsigned number, int64_t axis);

/// The same for axes that are counted from the front: the axis of the operand that becomes `axis` of the result, or
/// with `toResult` the inverse. The axis along which an op slices or concatenates counts, though its size changes. None
/// if there is no such axis, or several.
std::optional<int64_t> pairedAxis(mlir::OpOperand &use, int64_t axis, bool toResult);

/// Changes the axis attributes of `op` so that it works along the same axes when its operands get a new leading one,
/// which `operandAxes` must allow.
void addLeadingAxis(mlir::Operation *op);

/// Whether `op` broadcasts operands along axes of size 1.
bool broadcastsOperands(mlir::Operation *op);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_ANALYSIS_CARRIEDAXES_H

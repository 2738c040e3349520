//===- Control.h - the control flow converters ------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// The truth of a boolean with one element; nothing when it is not known at compile time.
std::optional<bool> knownBool(mlir::Value value);
/// `whenTrue` or `whenFalse`, as the boolean scalar `condition` says. Refused unless the types agree.
mlir::Value selectValue(OnnxNode &node, ForgeBuilder &builder, mlir::Value condition, mlir::Value whenTrue,
                        mlir::Value whenFalse);
/// For an iteration or a branch that is computed although it may not be taken: the indices that the ops after `before`
/// (null: all ops of the block) select with become 0 where `condition` is not `taken`.
void guardIndices(ForgeBuilder &builder, mlir::Operation *before, mlir::Value condition, bool taken);
/// The last op that the builder has made so far; null where there is none in its block.
mlir::Operation *lastOp(ForgeBuilder &builder);
/// `slices` stacked along a new axis.
mlir::Value stackValues(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<mlir::Value> slices, int64_t axis);

// Converters of other files than the table's.
ConverterFunction convertLoop;
ConverterFunction convertScan;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H

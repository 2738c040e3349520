//===- Control.h - the control flow converters ------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// The value of a constant boolean with one element; nullopt if it is not constant.
std::optional<bool> knownBool(mlir::Value value);
/// Selects by the boolean scalar `condition`. Refused unless the types agree.
mlir::Value selectValue(OnnxNode &node, ForgeBuilder &builder, mlir::Value condition, mlir::Value whenTrue,
                        mlir::Value whenFalse);
/// Makes it safe to execute an iteration or branch that may not be taken, which consists of the ops after `before`
/// (null: all ops of the block): their run-time indices become 0 if `condition` is not `taken`.
void guardIndices(ForgeBuilder &builder, mlir::Operation *before, mlir::Value condition, bool taken);
/// The op before the insertion point; null if there is none in the block.
mlir::Operation *lastOp(ForgeBuilder &builder);
/// Stacks `slices` along a new axis.
mlir::Value stackValues(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<mlir::Value> slices, int64_t axis);

// Converters that have files of their own.
ConverterFunction convertIf, convertLoop, convertScan;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H

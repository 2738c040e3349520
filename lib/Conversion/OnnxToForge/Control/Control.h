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
/// OnnxNode::inlineSubgraph for an iteration or branch that is executed even if it is not taken, which it is if
/// `condition` (null: always) is `taken`. If it is not, its run-time indices become 0, also before casts, and its
/// integer divisors 1, which are valid.
std::optional<Values> inlineGuarded(OnnxNode &node, ForgeBuilder &builder, unsigned subgraph,
                                    llvm::ArrayRef<mlir::Value> arguments, mlir::Value condition, bool taken);
/// Stacks `slices` along a new axis.
mlir::Value stackValues(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<mlir::Value> slices, int64_t axis);

// Converters that have files of their own.
ConverterFunction convertIf, convertLoop, convertScan;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H

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
/// `slices` side by side along a new axis.
mlir::Value stackValues(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<mlir::Value> slices, int64_t axis);

// One converter per op, by file.
ConverterFunction convertIf;
ConverterFunction convertLoop;
ConverterFunction convertScan;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H

//===- Control.h - the control flow converters ------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// The versions at which ONNX changed If and Loop.
constexpr int64_t kControlVersions[] = {1, 11, 13, 16, 19, 21, 23, 24, 25};

/// The truth of a boolean with one element; nothing when it is not known at compile time.
std::optional<bool> knownBool(mlir::Value value);
/// `whenTrue` or `whenFalse`, as the boolean scalar `condition` says. Refused unless the types agree.
mlir::Value selectValue(OnnxNode &node, ForgeBuilder &builder, mlir::Value condition, mlir::Value whenTrue,
                        mlir::Value whenFalse);
/// `slices` side by side along a new axis.
mlir::Value stackValues(OnnxNode &node, ForgeBuilder &builder, llvm::ArrayRef<mlir::Value> slices, int64_t axis);

void registerIfOps(OnnxRegistry &registry);
void registerLoopOps(OnnxRegistry &registry);
void registerScanOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_CONTROL_CONTROL_H

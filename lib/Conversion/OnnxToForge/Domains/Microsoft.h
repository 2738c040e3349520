//===- Microsoft.h - converters of onnxruntime's own ops --------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

constexpr llvm::StringLiteral kMicrosoft = "com.microsoft";

/// Records a reason unless all values that are there are floats of at most 32 bits; whether the node is still sound.
bool requireFloats(OnnxNode &node, llvm::ArrayRef<mlir::Value> values);

/// "(1, 2)", for diagnostics.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

void registerMicrosoftAttentionOps(OnnxRegistry &registry);
void registerMicrosoftFusedOps(OnnxRegistry &registry);
void registerMicrosoftGroupQueryOps(OnnxRegistry &registry);
void registerMicrosoftMatmulOps(OnnxRegistry &registry);
void registerMicrosoftNormOps(OnnxRegistry &registry);
void registerMicrosoftQuantOps(OnnxRegistry &registry);
void registerMicrosoftRotaryOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_H

//===- Microsoft.h - converters of onnxruntime's own ops --------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

constexpr llvm::StringLiteral kMicrosoft = "com.microsoft";

/// Records a reason unless all non-null values are floats of at most 32 bits. Returns whether the node has not failed.
bool requireFloats(OnnxNode &node, llvm::ArrayRef<mlir::Value> values);

/// A shape as "(1, 2)", for diagnostics.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

namespace microsoft {
/// Unpacks bytes [rows, bytes] to [rows, bytes * 8 / bits] integers as f32, low bits first. `bits` is 2, 4 or 8.
mlir::Value unpackRows(ForgeBuilder &builder, mlir::Value packed, int64_t bits);

// Converters that have files of their own.
ConverterFunction convertAttention, convertMultiHeadAttention;
ConverterFunction convertGatherBlockQuantized;
ConverterFunction convertGroupQueryAttention;
ConverterFunction convertMatMulNBits;

// Registration of ops in other files.
void registerNorms(OnnxRegistry &registry);
void registerQLinearOps(OnnxRegistry &registry);
} // namespace microsoft

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H

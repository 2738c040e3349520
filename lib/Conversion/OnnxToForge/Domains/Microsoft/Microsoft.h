//===- Microsoft.h - converters of onnxruntime's own ops --------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

constexpr llvm::StringLiteral kMicrosoft = "com.microsoft";

/// Records a reason unless all values that are there are floats of at most 32 bits; whether the node is still sound.
bool requireFloats(OnnxNode &node, llvm::ArrayRef<mlir::Value> values);

/// "(1, 2)", for diagnostics.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

namespace microsoft {
/// `packed` bytes [rows, bytes] as [rows, bytes * 8 / bits] numbers in f32, low bits first. `bits` is 2, 4 or 8.
mlir::Value unpackRows(ForgeBuilder &builder, mlir::Value packed, int64_t bits);

// Converters of other files than the table's.
ConverterFunction convertAttention, convertMultiHeadAttention;
ConverterFunction convertGatherBlockQuantized;
ConverterFunction convertGroupQueryAttention;
ConverterFunction convertMatMulNBits;

// Tables of other files.
void registerNorms(OnnxRegistry &registry);
void registerQLinearOps(OnnxRegistry &registry);
} // namespace microsoft

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_DOMAINS_MICROSOFT_MICROSOFT_H

//===- Quant.h - the quantisation converters --------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_QUANT_QUANT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_QUANT_QUANT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// The values of an integer type of at most 16 bits; nothing for other types.
std::optional<std::pair<int64_t, int64_t>> quantRange(mlir::Type type);
/// `x`, which lies within 22 bits, rounded to whole numbers, halves to even. Exact.
mlir::Value roundHalfEven(ForgeBuilder &builder, mlir::Value x);
/// round(x) + zeroPoint, kept inside `type`, as that type. `x` is f32 and may be any number; the zero point (null: 0)
/// an integer that broadcasts.
mlir::Value saturate(ForgeBuilder &builder, mlir::Value x, mlir::Value zeroPoint, mlir::Type type);

/// The i32 product of two operands of 8-bit integers, less their zero points (may be null), as numpy's matmul has it.
mlir::Value integerMatmul(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value y, mlir::Value zeroX,
                          mlir::Value zeroY);
/// A float as unsigned bytes over the range of its values and 0.
struct Quantised {
  mlir::Value bytes, scale, zeroPoint;
};
Quantised quantiseDynamically(OnnxNode &node, ForgeBuilder &builder, mlir::Value x);

void registerIntegerMatmulOps(OnnxRegistry &registry);
void registerQuantizeOps(OnnxRegistry &registry);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_QUANT_QUANT_H

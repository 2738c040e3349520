//===- Quant.h - the quantisation converters --------------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_QUANT_QUANT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_QUANT_QUANT_H

#include "forge/Conversion/OnnxToForge/OnnxRegistry.h"

namespace forge {

/// `x` with `axis` cut into blocks of so many elements, [blocks, block], where it is a weight and has whole blocks, so
/// that what a block shares is not repeated for its elements; else `x`. A `block` of 0 is none.
mlir::Value cutIntoBlocks(ForgeBuilder &builder, mlir::Value x, int64_t axis, int64_t block);
/// Scale or zero point as an operand that broadcasts to `x`, or to what `cutIntoBlocks` makes of it: one value, one per
/// slice of `axis`, or, with a `block` other than 0, one per block. Refused, with a null value, where the shape does
/// not fit.
mlir::Value spreadOverBlocks(OnnxNode &node, ForgeBuilder &builder, mlir::Value value, mlir::Value x, int64_t axis,
                             int64_t block);

/// An integer operand less its zero point, in f32, and the largest magnitude it can have.
struct Centred {
  mlir::Value value;
  int64_t bound = 0;
};

/// The values of an integer type of at most 16 bits; nothing for other types.
std::optional<std::pair<int64_t, int64_t>> quantRange(mlir::Type type);
/// round(x) + zeroPoint, kept inside `type`, as that type. `x` is f32 and may be any number; the zero point (null: 0)
/// an integer that broadcasts.
mlir::Value saturate(ForgeBuilder &builder, mlir::Value x, mlir::Value zeroPoint, mlir::Type type);

/// The i32 product of two operands of 8-bit integers, less their zero points (may be null), as numpy's matmul.
mlir::Value integerMatmul(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value y, mlir::Value zeroX,
                          mlir::Value zeroY);
/// A float as unsigned bytes over the range of its values and 0.
struct Quantised {
  mlir::Value bytes, scale, zeroPoint;
};
Quantised quantiseDynamically(OnnxNode &node, ForgeBuilder &builder, mlir::Value x);

/// `x`, 8-bit integers, less its zero point (may be null), which is reshaped to `zeroPointShape` to broadcast. Refused,
/// with a null value, where the types or shapes do not fit.
Centred centred(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value zeroPoint,
                llvm::ArrayRef<int64_t> zeroPointShape);
/// How many terms of a sum stay exact; 0 when the whole sum of `terms` could leave 32 bits or takes too many pieces.
int64_t exactTerms(const Centred &x, const Centred &y, int64_t terms);
/// The i32 sum of `piece(begin, end)` over pieces of `perPiece` out of `terms` terms, each exact in f32. Refused where
/// `perPiece` is 0.
mlir::Value sumOfPieces(OnnxNode &node, ForgeBuilder &builder, int64_t terms, int64_t perPiece,
                        llvm::function_ref<mlir::Value(int64_t, int64_t)> piece);
/// round(sums * (scaleX * scaleY / scaleOut)) + zero point, saturated, as onnxruntime orders it.
mlir::Value requantize(ForgeBuilder &builder, mlir::Value sums, mlir::Value scaleX, mlir::Value scaleY,
                       mlir::Value scaleOut, mlir::Value zeroPoint);

// Converters of other files than the table's.
ConverterFunction convertConvInteger, convertQLinearConv;
ConverterFunction convertMatMulInteger, convertQLinearMatMul;
ConverterFunction convertQuantizeLinear, convertDequantizeLinear;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_QUANT_QUANT_H

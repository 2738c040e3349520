//===- Quantization.h - the quantisation converters -------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_QUANTIZATION_QUANTIZATION_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_QUANTIZATION_QUANTIZATION_H

#include "../Conv/Conv.h"
#include "../Matmul/Matmul.h"

namespace forge {

/// Reshapes `axis` of `x` into [blocks, block], if `x` is a weight with whole blocks, so that scales broadcast instead
/// of being repeated; otherwise returns `x`. A `block` of 0 means that there are no blocks.
mlir::Value cutIntoBlocks(ForgeBuilder &builder, mlir::Value x, int64_t axis, int64_t block);
/// Reshapes a scale or zero point to broadcast to `x`, or to the result of `cutIntoBlocks`: it has one value, one per
/// slice of `axis`, or, with a `block` other than 0, one per block. Null and refused if the shape does not fit.
mlir::Value spreadOverBlocks(OnnxNode &node, ForgeBuilder &builder, mlir::Value value, mlir::Value x, int64_t axis,
                             int64_t block);

/// An integer operand minus its zero point, in f32, and the largest magnitude that it can have.
struct Centred {
  mlir::Value value;
  int64_t bound = 0;
};

/// The range of an integer type of at most 16 bits; nullopt for other types.
std::optional<std::pair<int64_t, int64_t>> quantRange(mlir::Type type);
/// round(x) + zeroPoint, clamped to the range of `type`, as that type. `x` is any f32; the zero point (null: 0) is an
/// integer that broadcasts.
mlir::Value saturate(ForgeBuilder &builder, mlir::Value x, mlir::Value zeroPoint, mlir::Type type);

/// The i32 convolution of two 8-bit operands minus their zero points (may be null). With one spatial axis it is a 2-D
/// convolution of height 1, and the result has that axis.
mlir::Value integerConv(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value weights, mlir::Value zeroX,
                        mlir::Value zeroWeights);
/// The shape in which a scale or zero point of a matrix broadcasts: per row if `rows`, otherwise per column.
llvm::SmallVector<int64_t> matrixParameterShape(mlir::Value value, bool rows);
/// numpy.matmul of two 8-bit operands minus their zero points (may be null), in i32.
mlir::Value integerMatmul(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value y, mlir::Value zeroX,
                          mlir::Value zeroY);
/// A float tensor quantised to unsigned bytes, over a range that includes all values and 0.
struct Quantised {
  mlir::Value bytes, scale, zeroPoint;
};
Quantised quantiseDynamically(OnnxNode &node, ForgeBuilder &builder, mlir::Value x);

/// The 8-bit `x` minus its zero point (may be null), which is reshaped to `zeroPointShape`. Refused, with a null value,
/// if the types or shapes do not fit.
Centred centred(OnnxNode &node, ForgeBuilder &builder, mlir::Value x, mlir::Value zeroPoint,
                llvm::ArrayRef<int64_t> zeroPointShape);
/// How many terms of a sum are exact in f32; 0 if the sum of all `terms` may overflow Int32 or needs too many chunks.
int64_t exactTerms(const Centred &x, const Centred &y, int64_t terms);
/// The i32 sum over `terms` terms, in chunks of `perChunk` that are exact in f32. `chunk(begin, end)` gives the sum of
/// a chunk. Refused if `perChunk` is 0.
mlir::Value sumOfChunks(OnnxNode &node, ForgeBuilder &builder, int64_t terms, int64_t perChunk,
                        llvm::function_ref<mlir::Value(int64_t, int64_t)> chunk);
/// round(sums * (scaleX * scaleY / scaleOut)) + zero point, saturated, in onnxruntime's order of operations.
mlir::Value requantize(ForgeBuilder &builder, mlir::Value sums, mlir::Value scaleX, mlir::Value scaleY,
                       mlir::Value scaleOut, mlir::Value zeroPoint);

// Converters that have files of their own.
ConverterFunction convertQuantizeLinear, convertDequantizeLinear, convertDynamicQuantizeLinear;
ConverterFunction convertConvInteger, convertQLinearConv, convertMatMulInteger, convertQLinearMatMul;

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_QUANTIZATION_QUANTIZATION_H

//===- RawTensor.h - tensors in the raw layout of ONNX ----------*- C++ -*-===//

#ifndef FORGE_DIALECT_FORGE_IR_CONSTANTS_RAWTENSOR_H
#define FORGE_DIALECT_FORGE_IR_CONSTANTS_RAWTENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace forge {

// ONNX's raw layout (TensorProto.raw_data): little-endian, in C order, one byte per boolean, two 4-bit integers per
// byte from the low bits up. Blobs that torch-mlir's importer makes hold it.

/// On a weight of the model: its element type in the file, if that of the device is another.
inline constexpr llvm::StringLiteral kFileTypeAttr = "forge.file_type";

/// On a cast of a weight: finite numbers beyond the range of the type become its largest number. Without it, they
/// become infinities, as in ONNX's Cast.
inline constexpr llvm::StringLiteral kSaturatesAttr = "forge.saturates";

/// The size in bytes of a tensor in the raw layout; none for an element type that has no raw layout, or a size of 2^63
/// or more.
std::optional<int64_t> rawBytes(mlir::ShapedType type);

/// The bytes of a blob; none for a handle whose data is not in memory.
std::optional<llvm::ArrayRef<char>> blobOf(mlir::DenseResourceElementsAttr attr);

/// The tensor of `type` with the bytes `raw`; null if `raw` does not have rawBytes(type) bytes, or an element is wider
/// than 64 bits.
mlir::DenseElementsAttr denseFromRaw(mlir::RankedTensorType type, llvm::ArrayRef<char> raw);

/// The bytes of `dense`, whose type must have rawBytes().
std::vector<char> rawFromDense(mlir::DenseElementsAttr dense);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_CONSTANTS_RAWTENSOR_H

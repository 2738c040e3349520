//===- Partitions.h - what marks device and CPU functions -------*- C++ -*-===//
//
// A partitioned module has one function per partition, and a driver that runs them in order with forge.run.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_PARTITIONS_H
#define FORGE_DIALECT_FORGE_IR_PARTITIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// On a function: "device", "cpu" or "driver". A module that is not partitioned has none.
inline constexpr llvm::StringLiteral kPartitionAttr = "forge.partition";
/// On an ONNX node: why it runs on the CPU.
inline constexpr llvm::StringLiteral kCpuAttr = "forge.cpu";
/// On an ONNX node: the user wants it on the device.
inline constexpr llvm::StringLiteral kPinnedAttr = "forge.device";
/// On an ONNX node: its multiply-adds, if it has any. On a partition: their sum.
inline constexpr llvm::StringLiteral kMultiplyAddsAttr = "forge.multiply_adds";
/// On an argument: [lowest, highest] integer that it contains, as the user promised.
inline constexpr llvm::StringLiteral kRangeAttr = "forge.range";
/// On an argument: [lowest, highest] valid index. The runner checks them, because the device does not.
inline constexpr llvm::StringLiteral kIndexRangeAttr = "forge.index_range";
/// On a result: it has rank 0 in ONNX, and [1] on the device.
inline constexpr llvm::StringLiteral kScalarAttr = "forge.scalar";
/// On a result of a program that generates tokens: the ONNX name of the argument that receives it in the next step.
inline constexpr llvm::StringLiteral kLoopbackAttr = "forge.loopback";
/// On an argument or result of a function: its ONNX name.
inline constexpr llvm::StringLiteral kOnnxNameAttr = "forge.onnx_name";
/// On an argument or result of a function: its type in the importer's IR, which may differ from the device's type.
inline constexpr llvm::StringLiteral kOnnxTypeAttr = "forge.onnx_type";

/// On a function: it is printed without methods for its layers.
inline constexpr llvm::StringLiteral kFlatAttr = "forge.flat";

/// "device", "cpu", "driver" or "".
llvm::StringRef partitionKind(mlir::func::FuncOp func);
/// Whether a function stays as it is while device functions are lowered.
bool isHostFunction(mlir::func::FuncOp func);
/// The block of a device function of one block, in which all values are tensors of static shape and no op has a region.
/// Null for other functions, which passes do not change.
mlir::Block *deviceBlock(mlir::func::FuncOp func);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_PARTITIONS_H

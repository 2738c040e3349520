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
/// On an ONNX node, where there are any; on a partition the sum.
inline constexpr llvm::StringLiteral kMultiplyAddsAttr = "forge.multiply_adds";
/// On an argument: [lowest, highest] integer that the user says it holds.
inline constexpr llvm::StringLiteral kRangeAttr = "forge.range";
/// On an argument: [lowest, highest] of the indices that it holds. Who runs the program checks them, for the device
/// does not.
inline constexpr llvm::StringLiteral kIndexRangeAttr = "forge.index_range";
/// On a result: it has rank 0 in ONNX, and [1] on the device.
inline constexpr llvm::StringLiteral kScalarAttr = "forge.scalar";
/// On a result: the ONNX name of the argument that it is in the next step of a program that generates tokens.
inline constexpr llvm::StringLiteral kLoopbackAttr = "forge.loopback";
/// On an argument or result of a function: its ONNX name.
inline constexpr llvm::StringLiteral kOnnxNameAttr = "forge.onnx_name";
/// Beside it: its type in the importer's IR, which the device's type does not tell.
inline constexpr llvm::StringLiteral kOnnxTypeAttr = "forge.onnx_type";

/// On a function: its layers are not to become methods where it is written as Python.
inline constexpr llvm::StringLiteral kFlatAttr = "forge.flat";

/// "device", "cpu", "driver" or "".
llvm::StringRef partitionKind(mlir::func::FuncOp func);
/// Whether a function stays as it is while device functions are lowered.
bool isHostFunction(mlir::func::FuncOp func);
/// The block of a function that runs on the device, whose values are all tensors of known shape; null for others, which
/// passes leave as they are: declarations, functions of several blocks, and those in which an op has a region.
mlir::Block *deviceBlock(mlir::func::FuncOp func);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_PARTITIONS_H

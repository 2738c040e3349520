//===- Regions.h - what marks device and CPU functions ----------*- C++ -*-===//
//
// A partitioned module has one function per region, and a driver that runs them in order with forge.run.
//
//===----------------------------------------------------------------------===//

#ifndef FORGE_DIALECT_FORGE_IR_REGIONS_H
#define FORGE_DIALECT_FORGE_IR_REGIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace forge {

/// On a function: "device", "cpu" or "driver". A module that is not partitioned has none.
inline constexpr llvm::StringLiteral kRegionAttr = "forge.region";
/// On an ONNX node: why it runs on the CPU.
inline constexpr llvm::StringLiteral kCpuAttr = "forge.cpu";
/// On an ONNX node: the user wants it on the device.
inline constexpr llvm::StringLiteral kPinnedAttr = "forge.device";
/// On an ONNX node, where there are any; on a region the sum.
inline constexpr llvm::StringLiteral kMultiplyAddsAttr = "forge.multiply_adds";
/// On an argument or result of a function: its ONNX name.
inline constexpr llvm::StringLiteral kOnnxNameAttr = "forge.onnx_name";
/// Beside it: its type in the importer's IR, which the device's type does not tell.
inline constexpr llvm::StringLiteral kOnnxTypeAttr = "forge.onnx_type";
/// On an ONNX node: the names of its outputs, written by the importer on request.
inline constexpr llvm::StringLiteral kResultNamesAttr = "torch.onnx_meta.results";

/// Beside it: the numbers of the outputs that are scalars, because the IR's types write an unknown rank the same way.
inline constexpr llvm::StringLiteral kScalarResultsAttr = "torch.onnx_meta.scalar_results";

/// "device", "cpu", "driver" or "".
llvm::StringRef regionKind(mlir::func::FuncOp func);
/// Whether a result of an ONNX node is a scalar for certain.
bool isScalarResult(mlir::OpResult result);
/// Whether a function stays as it is while device functions are lowered.
bool isHostFunction(mlir::func::FuncOp func);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_REGIONS_H

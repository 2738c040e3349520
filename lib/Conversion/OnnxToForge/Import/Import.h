//===- Import.h - steps of --forge-normalize-import -------------*- C++ -*-===//

#ifndef FORGE_LIB_CONVERSION_ONNXTOFORGE_IMPORT_IMPORT_H
#define FORGE_LIB_CONVERSION_ONNXTOFORGE_IMPORT_IMPORT_H

#include "forge/Conversion/OnnxToForge/Passes.h"
#include "forge/Dialect/Forge/IR/Location.h"
#include "forge/Dialect/Torch/IR/OnnxMeta.h"
#include "forge/Dialect/Torch/IR/TorchOps.h"
#include "forge/Support/Diagnostics.h"

namespace forge {

/// Inlines function calls and erases private functions without uses. Nodes keep the opsets of the function that they
/// come from. Fails, with an error each, for calls of functions that have no body, have several blocks or are
/// recursive, and if the inlined bodies have too many nodes.
mlir::LogicalResult inlineFunctions(mlir::ModuleOp module);

/// Converts small tensor attributes from blobs in ONNX's raw layout to dense elements, as forge-mlir's importer stores
/// them. With `keepWeights`, large dense elements become blobs, which are not folded. Fails, with an error, for a blob
/// whose size does not fit its type.
mlir::LogicalResult normalizeTensors(torch::OperatorOp op, bool keepWeights);

} // namespace forge

#endif // FORGE_LIB_CONVERSION_ONNXTOFORGE_IMPORT_IMPORT_H
